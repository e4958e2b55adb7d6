// Signs a reference of a standing link and prints the address for one customer, valid for a day.
import { createHmac } from 'node:crypto';

const { LINK_URL, LINK_ID, LINK_SECRET, REFERENCE } = process.env as Record<string, string>;
const expires = Math.floor(Date.now() / 1000) + 86_400;
const signature = createHmac('sha256', LINK_SECRET!).update(`${LINK_ID}.${REFERENCE}.${expires}`).digest('hex');
console.log(`${LINK_URL}&reference=${encodeURIComponent(REFERENCE!)}&expires=${expires}&signature=${signature}`);
