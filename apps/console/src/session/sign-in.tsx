import type { ReactNode } from 'react';
import { Mark } from '../ui/mark';
import { SignInForm } from './sign-in-form';

export function SignInPage(): ReactNode {
  return (
    <main className="grid min-h-full place-items-center px-4 py-10">
      <div className="w-full max-w-sm">
        <div className="mb-6 flex items-center gap-3">
          <Mark className="size-9" />
          <div>
            <h1 className="text-xl font-semibold">Switchyard</h1>
            <p className="text-faint">Agents, tasks, events and data in one place.</p>
          </div>
        </div>
        <div className="card p-5">
          <SignInForm />
        </div>
      </div>
    </main>
  );
}
