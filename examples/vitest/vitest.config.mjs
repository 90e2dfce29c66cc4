// Without it, vitest would take the one of the folders above.
export default {};
