/**
 * Forty companies of one accountant. The tax authority and every bank know each of them, and all of their logins work, so
 * that a whole portfolio can be tried.
 */
const COMPANIES = 40;
const FIRST_COMPANY = 77_500_000;
const FIRST_PERSON = 12_500_000;
/** Distance between the RUTs of two companies, and of the two people who log in for them. */
const STEP = 137;

/** A company, by its number from 1 on, with the bodies of its RUT and of that of the person who logs in for it. */
export interface PortfolioCompany {
  number: number;
  company: number;
  person: number;
}

export const PORTFOLIO_COMPANIES: readonly PortfolioCompany[] = Array.from({ length: COMPANIES }, (_, at) => ({
  number: at + 1,
  company: FIRST_COMPANY + (at + 1) * STEP,
  person: FIRST_PERSON + (at + 1) * STEP,
}));

/** Label of a login of the portfolio. */
export const portfolioLabel = (number: number): string => `works: company ${number} of the portfolio`;
