/**
 * Returns the progress of a run in the reader's language. The service sends the progress in English ("rcv 2026-10:
 * 1,200 of 3,400 documents").
 */
import type { SyncRun } from '../api/client.ts';
import { language } from '../text/language.ts';
import { runTexts } from './run-texts.ts';

const STAGES = ['queued', 'connecting', 'downloading', 'storing', 'finishing'] as const;

/** The few English words that the sources' messages contain, and their translations. */
const SPANISH: Readonly<Record<string, string>> = {
  of: 'de',
  documents: 'documentos',
  guides: 'guías',
  account: 'cuenta',
  accounts: 'cuentas',
  batch: 'nómina',
  read: 'leídos',
  reading: 'leyendo',
  the: 'los',
  days: 'días',
  type: 'tipo',
  movements: 'movimientos',
  balances: 'saldos',
  transfers: 'transferencias',
};

export const inSpanish = (message: string): string =>
  message.replaceAll(/[a-z]+/gi, (word) => SPANISH[word] ?? word).replaceAll(/(\d),(?=\d{3})/g, '$1.');

export const progressText = ({ progress, status }: SyncRun): string => {
  const stage = STAGES.find((each) => each === progress?.stage) ?? (status === 'queued' ? 'queued' : 'connecting');
  const words = runTexts.say(`stage.${stage}`);
  const message = progress?.message ?? null;
  // The page has its own text for an approval.
  if (message === null || progress?.waiting_for !== undefined) return words;
  return `${words}: ${language === 'es' ? inSpanish(message) : message}`;
};
