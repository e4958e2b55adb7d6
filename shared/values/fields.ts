/**
 * Field types that all schemas of the service share. Their registered descriptions appear in the OpenAPI description.
 */
import * as z from 'zod';

/** 8-4-4-4-12 hex digits of any version, any case (decisions.md §1). */
export const UUID_PATTERN = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
export const uuid = () => z.string().regex(UUID_PATTERN, 'must be a UUID').meta({ format: 'uuid' });

/** YYYY-MM */
export const PERIOD_PATTERN = /^\d{4}-(0[1-9]|1[0-2])$/;
export const period = () => z.string().regex(PERIOD_PATTERN, 'must be a period of the form YYYY-MM');

/** An existing day, YYYY-MM-DD. */
export const day = () => z.iso.date('must be a date of the form YYYY-MM-DD that exists');

/** An instant in answers: UTC with milliseconds. */
export const instant = () => z.iso.datetime({ precision: 3 });

/** Plain decimal string: no exponent, no separators, with the scale that the source sends. */
export const DECIMAL_PATTERN = /^-?\d+(\.\d+)?$/;
export const decimal = () => z.string().regex(DECIMAL_PATTERN, 'must be a decimal number');

/** Chilean tax id without dots, with dash and upper-case check digit. A foreign or faulty tax id stays as received. */
export const rut = () => z.string().min(1).max(64);

export const text = () => z.string();
