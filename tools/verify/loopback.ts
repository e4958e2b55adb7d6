/**
 * Matches addresses of this machine. Every other address is refused, because the verification must never reach an AWS
 * account.
 */

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;

/** @throws Error for an address of another machine, and if there is no address */
export const refuseElsewhere = (name: string, address: string | undefined): void => {
  const host = address !== undefined && URL.canParse(address) ? new URL(address).hostname : undefined;
  if (host === undefined || !LOOPBACK.test(host))
    throw new Error(`${name} is ${address ?? 'not set'}: verify:deploy only works on loopback`);
};
