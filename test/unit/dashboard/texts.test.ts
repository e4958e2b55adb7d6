/** Every text of the page in both languages: the same keys, no empty text, the same values to fill in. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const SOURCES = join(import.meta.dirname, '../../../dashboard/src');

interface Texts {
  namespace: string;
  es: Record<string, string>;
  en: Record<string, string>;
}

const isTexts = (value: unknown): value is Texts =>
  typeof value === 'object' && value !== null && 'namespace' in value && 'es' in value && 'en' in value;

const files = globSync(['**/*texts.ts', '**/words.ts', '**/plain-rule.ts'], { cwd: SOURCES });
const modules = await Promise.all(files.map((file) => import(join(SOURCES, file)) as Promise<Record<string, unknown>>));
const all = modules.flatMap((module) => Object.values(module).filter(isTexts));

const values = (text: string): string[] => [...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name]) => name!).sort();

/** Text between tags, and attributes that are shown or read aloud. */
const WORDS = [
  /(?<=[a-z"}]>)\s*[^<>{}=;()\s][^<>{}=;()]*[A-Za-zÁÉÍÓÚÑáéíóúñ]{2}[^<>{}=;()]*(?=<\/)/g,
  /\b(?:aria-label|label|title|placeholder|description|alt)="[^"]+"/g,
];
const ownWords = (code: string): string[] => WORDS.flatMap((pattern) => code.match(pattern) ?? []);

describe('texts', () => {
  it('are found, each namespace once', () => {
    const names = all.map(({ namespace }) => namespace);
    expect(names.length).toBeGreaterThan(8);
    expect([...new Set(names)]).toEqual(names);
  });

  it.each(all.map((texts) => [texts.namespace, texts] as const))('%s: both languages say the same', (_, { es, en }) => {
    expect(Object.keys(en).sort()).toEqual(Object.keys(es).sort());
    for (const [key, text] of Object.entries(es)) {
      expect(text.trim(), key).not.toBe('');
      expect(en[key]?.trim(), key).not.toBe('');
      expect(values(en[key]!), key).toEqual(values(text));
    }
  });

  it('are only here: no page contains its own text', () => {
    const pages = globSync('**/*.tsx', { cwd: SOURCES });
    expect(pages.length).toBeGreaterThan(20);
    expect(pages.flatMap((page) => ownWords(readFileSync(join(SOURCES, page), 'utf8')))).toEqual([]);
  });

  it.each(['<Text>Hola</Text>', '<Button aria-label="Close" />', '<TextInput label="Nombre" />'])(
    'finds %s',
    (code) => {
      expect(ownWords(code)).toHaveLength(1);
    },
  );
});
