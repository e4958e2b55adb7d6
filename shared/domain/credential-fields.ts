/** Fields of credentials that sources share. Rules name what is wrong, never a value. */
import * as z from 'zod';
import { normalizeRut } from './rut.ts';

export const rutCredential = (title: string) =>
  z
    .string()
    .trim()
    .max(20)
    .refine((value) => normalizeRut(value) !== undefined, 'must be a RUT with a valid check digit')
    .meta({ title, examples: ['76543210-3'] });

export const secretCredential = (title: string) => z.string().min(1).max(128).meta({ title, format: 'password' });
