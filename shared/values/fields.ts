/** Field kinds that every schema of the service shares. Registered descriptions end up in the OpenAPI description. */
import * as z from 'zod';

/** 8-4-4-4-12 hex digits of any version, any case (decisions.md §1). */
export const UUID_PATTERN = /^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$/;
export const uuid = () => z.string().regex(UUID_PATTERN, 'must be a UUID').meta({ format: 'uuid' });

/** YYYY-MM */
export const PERIOD_PATTERN = /^\d{4}-(0[1-9]|1[0-2])$/;
export const period = () => z.string().regex(PERIOD_PATTERN, 'must be a period of the form YYYY-MM');

/** A day that exists, YYYY-MM-DD. */
export const day = () => z.iso.date('must be a date of the form YYYY-MM-DD that exists');

/** An instant as it leaves the service: UTC with milliseconds. */
export const instant = () => z.iso.datetime({ precision: 3 });

/** Plain decimal string: no exponent, no separators, scale as the source delivers it. */
export const DECIMAL_PATTERN = /^-?\d+(\.\d+)?$/;
export const decimal = () => z.string().regex(DECIMAL_PATTERN, 'must be a decimal number');

/** Chilean tax id without dots, with dash and upper-case check digit; a foreign or faulty one stays as it came. */
export const rut = () => z.string().min(1).max(64);

export const text = () => z.string();
