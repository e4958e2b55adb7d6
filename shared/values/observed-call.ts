/** One request and its answer. Credentials were already removed from the body. */
export interface ObservedCall {
  /** Name of the call in messages. */
  what: string;
  method: string;
  url: string;
  /** Body of the request; it may contain the password. */
  sent: string | null;
  status: number;
  headers: Readonly<Record<string, string>>;
  /** Names of the cookies that the answer sets. */
  cookies: readonly string[];
  body: Uint8Array;
}
