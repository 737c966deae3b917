// Files of this project run beside each other: what one of them stopped, the others would miss.
process.env.SWITCHYARD_TEST_SHARED = 'true';
