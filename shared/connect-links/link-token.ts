/** The token of a connect link, which is in the fragment of its address and stored as a hash. */

export const LINK_TOKEN_PREFIX = 'svc_cl_';
const LINK_TOKEN_FORM = /^svc_cl_[A-Za-z0-9_-]{43}$/;

export const isLinkToken = (text: string): boolean => LINK_TOKEN_FORM.test(text);
