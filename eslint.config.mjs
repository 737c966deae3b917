import tseslint from 'typescript-eslint';

export default tseslint.config(
  {
    ignores: [
      '**/dist/',
      'libs/client/src/api/schema.ts',
      'coverage/',
      'node_modules/',
      '.switchyard/',
      '**/*.mjs',
      '**/*.cjs',
      '**/*.js',
    ],
  },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname } },
    linterOptions: { reportUnusedDisableDirectives: 'error' },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', 400],
      'no-console': 'error',
      'no-restricted-properties': [
        'error',
        { object: 'process', property: 'env', message: 'Only configuration classes read the environment.' },
      ],
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.object.name='Object'][callee.property.name='assign']",
          message: 'Map field by field.',
        },
        { selector: "ImportSpecifier[imported.name='forwardRef']", message: 'Break the cycle instead.' },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      // Numbers and booleans read well inside templates.
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      // Nest's modules are classes without members, and its decorators need classes.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true, allowEmpty: true }],
      // `fn: () => void` given an async function is how handlers are registered in Nest and in jest.
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      // A contract class is a shape without methods: plain objects stand for it, and it may be spread.
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      '@typescript-eslint/no-misused-spread': 'off',
      // A type parameter that appears once still says what a contract carries.
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
    },
  },
  {
    // The console is checked with its own settings: it runs in browsers.
    files: ['apps/console/src/**/*.{ts,tsx}'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: {
      parserOptions: { project: './apps/console/tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      eqeqeq: 'error',
      'max-lines': ['error', 400],
      'no-console': 'error',
      'no-restricted-globals': [
        'error',
        { name: 'fetch', message: 'The API is reached through @switchyard/client alone.' },
        { name: 'localStorage', message: 'Only the theme is kept there: src/ui/theme.ts.' },
        { name: 'confirm', message: 'Ask by a dialog.' },
        { name: 'alert', message: 'Say it by a toast.' },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: "JSXAttribute[name.name='dangerouslySetInnerHTML']", message: 'Text of others stays text.' },
      ],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/no-misused-promises': [
        'error',
        { checksVoidReturn: { arguments: false, attributes: false } },
      ],
      '@typescript-eslint/no-confusing-void-expression': [
        'error',
        { ignoreArrowShorthand: true, ignoreVoidReturningFunctions: true },
      ],
      '@typescript-eslint/no-unnecessary-type-parameters': 'off',
      // The router navigates by throwing its own values.
      '@typescript-eslint/only-throw-error': 'off',
    },
  },
  {
    // The environment belongs to those who read it for everybody else.
    files: [
      'libs/service/src/config/**',
      'libs/service/src/run/**',
      'libs/service/src/service.module.ts',
      'apps/gateway/src/main.ts',
      'libs/*/test/**',
      'apps/*/test/**',
      '**/*.faults-spec.ts',
      'tools/**',
      'examples/**',
      'libs/testing/**',
      '**/*.spec.ts',
      '**/*.e2e-spec.ts',
    ],
    rules: { 'no-restricted-properties': 'off' },
  },
  {
    // Tools speak to the person at the terminal.
    files: ['tools/**', 'examples/**', 'libs/*/test/**'],
    rules: { 'no-console': 'off' },
  },
  {
    // Tests read whatever came over the wire: its shape is what they check.
    files: ['**/*.spec.ts', '**/*.e2e-spec.ts', 'libs/testing/**', 'apps/*/test/**', 'libs/*/test/**'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-call': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
      '@typescript-eslint/no-unsafe-return': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      '@typescript-eslint/unbound-method': 'off',
    },
  },
);
