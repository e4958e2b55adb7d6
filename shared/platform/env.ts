/** Reads the environment variables that a need provides. */

/**
 * Returns the variable's value.
 *
 * @throws Error that names the variable if infra did not set it
 */
export const env = (name: string): string => {
  const value = process.env[name];
  if (value === undefined || value === '') throw new Error(`environment variable ${name} is missing`);
  return value;
};

export const envOr = (name: string, fallback: string): string => process.env[name] || fallback;

export const envOptional = (name: string): string | undefined => process.env[name] || undefined;
