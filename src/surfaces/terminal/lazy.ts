/** The heavy parts of this room: modules that a command loads when it needs them. Importing this file loads none of them. */
export const loadLayout = () => import('./layout.ts');
