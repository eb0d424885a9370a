import { readFile } from 'node:fs/promises';
import { RE2JS, RE2JSException } from 're2js';
import { ConfigError } from './config.ts';
import type { CustomPattern } from './memory/redaction.ts';

/** `label: pattern`; without a label, or with a blank missing behind it, all of the line is the pattern. */
const LABELLED = /^([a-z_]{1,40}):\s+(\S.*)$/u;
/** What a secret is known as whose pattern has no label. */
const NO_LABEL = 'custom';
/** Each pattern reads every text that is written. */
const MAX_PATTERNS = 100;

/**
 * The patterns that an operator adds, from a file with one a line; blank lines and those that begin
 * with `#` are passed over. RE2's syntax: without references back and looks around, so that no text
 * can make a match take longer than its length allows.
 *
 * @param file  null for none
 * @throws {ConfigError} with a line for each fault
 */
export async function readPatterns(file: string | null): Promise<readonly CustomPattern[]> {
  if (file === null) return [];
  const text = await readFile(file, 'utf8').catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new ConfigError(`CAUSEWAY_REDACT_PATTERNS: expected a file to read, but ${reason}.`);
  });
  return parsePatterns(text);
}

/** @throws {ConfigError} with a line for each fault */
export function parsePatterns(text: string): readonly CustomPattern[] {
  const faults: string[] = [];
  const patterns = text.split('\n').flatMap((line, index) => {
    const written = line.trim();
    if (written === '' || written.startsWith('#')) return [];
    const [, kind = NO_LABEL, source = written] = LABELLED.exec(written) ?? [];
    const compiled = compile(source);
    if (typeof compiled !== 'string') return [{ kind, find: (own: string) => find(compiled, own) }];
    faults.push(`CAUSEWAY_REDACT_PATTERNS, line ${index + 1}: ${compiled}`);
    return [];
  });
  if (patterns.length > MAX_PATTERNS) {
    faults.push(
      `CAUSEWAY_REDACT_PATTERNS: expected at most ${MAX_PATTERNS} patterns, but got ${patterns.length}.`,
    );
  }
  if (faults.length > 0) throw new ConfigError(faults.join('\n'));
  return patterns;
}

/** The pattern, or what is wrong with it. */
function compile(source: string): RE2JS | string {
  try {
    const pattern = RE2JS.compile(source);
    return pattern.matcher('').find()
      ? 'expected a pattern that does not match the empty text.'
      : pattern;
  } catch (error) {
    if (!(error instanceof RE2JSException)) throw error;
    return `expected a pattern in the syntax of RE2, but ${error.message}.`;
  }
}

/** `\\b` matches nothing at some place of a text and not of the empty one: that is no secret. */
function find(pattern: RE2JS, text: string): { start: number; end: number }[] {
  const matcher = pattern.matcher(text);
  const found: { start: number; end: number }[] = [];
  while (matcher.find()) {
    const [start, end] = [matcher.start(), matcher.end()];
    if (end > start) found.push({ start, end });
  }
  return found;
}
