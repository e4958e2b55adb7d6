/**
 * Matches this machine's addresses. The verification must never reach an AWS account, so the address of any other
 * machine is refused.
 */

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|localhost|\[::1\])$/;

/** @throws Error for an address of another machine, or for no address. */
export const refuseElsewhere = (name: string, address: string | undefined): void => {
  const host = address !== undefined && URL.canParse(address) ? new URL(address).hostname : undefined;
  if (host === undefined || !LOOPBACK.test(host))
    throw new Error(`${name} is ${address ?? 'not set'}: verify:deploy only works on loopback`);
};
