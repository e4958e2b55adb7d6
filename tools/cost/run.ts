/** `npm run cost`: writes docs/cost.md from templates, counted units and prices. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COST_PAGE, costPage } from './page.ts';

writeFileSync(join(import.meta.dirname, '..', '..', COST_PAGE), costPage());
console.log(`${COST_PAGE} written`);
