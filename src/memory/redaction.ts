import { replacePrivateKeys } from './private-keys.ts';
import { type Assignment, replaceAssigned, replaceNamed } from './secret-assignments.ts';
import { isWordy } from './secret-value.ts';
import { parseText, type TextRule } from './text-input.ts';

/** What a secret is known as once it is gone: `[REDACTED:jwt]`. */
export const SECRET_KINDS = [
  'github_token',
  'gitlab_token',
  'aws_key',
  'aws_secret',
  'gcp_key',
  'azure_key',
  'slack_token',
  'stripe_key',
  'openai_key',
  'anthropic_key',
  'npm_token',
  'pypi_token',
  'jwt',
  'private_key',
  'connection_string',
  'bearer_token',
  'password_assignment',
] as const;
export type SecretKind = (typeof SECRET_KINDS)[number];

/** A sort of secret that is known by its looks alone. */
type Shape = {
  readonly kind: SecretKind;
  /**
   * Its first group, if any, stays; all after it goes. It must begin with fixed signs and end with
   * one run of one class, so that each sign of a text is looked at a bounded number of times.
   */
  readonly pattern: RegExp;
  /** False keeps what only looks alike. */
  readonly isSecret?: (secret: string) => boolean;
};

const isRandom = (secret: string) => !isWordy(secret);

/**
 * Those of one provider before those of any: `sk-ant-…` is no key of OpenAI. Shapes of providers are
 * those that they publish, or that scanners of repositories know.
 */
const SHAPES: readonly Shape[] = [
  { kind: 'github_token', pattern: /gh[pousr]_[A-Za-z0-9]{36,}/gu },
  { kind: 'github_token', pattern: /github_pat_[A-Za-z0-9_]{22,}/gu },
  {
    kind: 'gitlab_token',
    pattern: /gl(?:pat|dt|rt|rtr|cbt|ptt|ft|imt|agent|soat|ffct|oas)-[A-Za-z0-9_-]{20,}/gu,
    isSecret: isRandom,
  },
  { kind: 'gcp_key', pattern: /(?<![A-Za-z0-9_-])AIza[A-Za-z0-9_-]{35,}/gu },
  { kind: 'gcp_key', pattern: /(?:GOCSPX-|ya29\.)[A-Za-z0-9_-]{20,}/gu, isSecret: isRandom },
  { kind: 'azure_key', pattern: /((?:Account|SharedAccess)Key=)[A-Za-z0-9+/]{40,}={0,2}/gu },
  { kind: 'azure_key', pattern: /([?&]sig=)[A-Za-z0-9%+/_-]{43,}={0,2}/gu },
  { kind: 'azure_key', pattern: /[A-Za-z0-9_~.-]{3}\dQ~[A-Za-z0-9_~.-]{31,}/gu },
  {
    kind: 'slack_token',
    pattern: /xox[abeoprs]-[A-Za-z0-9-]{10,}/gu,
    isSecret: isRandomOrLongNumber,
  },
  { kind: 'slack_token', pattern: /xapp-\d-[A-Za-z0-9-]{10,}/gu },
  {
    kind: 'slack_token',
    pattern: /(hooks\.slack\.com\/(?:services|workflows|triggers)\/)[A-Za-z0-9/_-]{20,}/gu,
    isSecret: isRandomOrLongNumber,
  },
  {
    kind: 'stripe_key',
    pattern: /(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{10,}/gu,
    isSecret: (secret) => isRandom(secret) || /\d/u.test(secret),
  },
  { kind: 'stripe_key', pattern: /whsec_[A-Za-z0-9+/]{24,}={0,2}/gu },
  {
    kind: 'anthropic_key',
    pattern: /(?<![A-Za-z0-9_-])sk-ant-[a-z]{2,8}\d\d-[A-Za-z0-9_-]{16,}/gu,
  },
  {
    kind: 'anthropic_key',
    pattern: /(?<![A-Za-z0-9_-])sk-ant-[A-Za-z0-9_-]{16,}/gu,
    isSecret: isRandom,
  },
  {
    kind: 'openai_key',
    pattern: /(?<![A-Za-z0-9_-])sk-[A-Za-z0-9_-]{20,}/gu,
    isSecret: isRandom,
  },
  { kind: 'npm_token', pattern: /(?<![A-Za-z0-9])npm_[A-Za-z0-9]{36,}/gu },
  { kind: 'pypi_token', pattern: /pypi-AgE[A-Za-z0-9_-]{16,}/gu },
  {
    kind: 'jwt',
    pattern: /(?<![A-Za-z0-9_-])eyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/gu,
  },
  {
    kind: 'bearer_token',
    pattern:
      /(authorization(?:\\?["'])?[ \t]{0,4}[:=][ \t]{0,4}(?:\\?["'])?(?:bearer|basic|token)[ \t]{1,4})[A-Za-z0-9._~+/-]{8,}={0,2}/giu,
    isSecret: (secret) => isRandom(secret) || /\d/u.test(secret),
  },
  {
    kind: 'bearer_token',
    pattern: /(\bbearer[ \t]{1,4})[A-Za-z0-9._~+/-]{16,}={0,2}/giu,
    isSecret: isRandom,
  },
  {
    // Up to the last `@` before the path: passwords hold unencoded ones too.
    kind: 'connection_string',
    pattern: /(:\/\/[^\s/?#@:"'`<>\\]{0,128}(?<!\[REDACTED):)[^\s/?#"'`<>\\]{1,512}(?=@)/gu,
    isSecret: isPassword,
  },
  {
    // A slash in a password breaks the URL, and people write it all the same.
    kind: 'connection_string',
    pattern:
      /((?:postgres(?:ql)?|mysql|mariadb|mongodb|mssql|sqlserver|rediss?|amqps?)(?:\+[a-z0-9]{1,16})?:\/\/[^\s/?#@:"'`<>\\]{0,128}(?<!\[REDACTED):)[^\s"'`<>@:\\]{1,256}(?:@[^\s/?#"'`<>\\]{0,512})?(?=@)/gu,
    isSecret: (secret) => isPassword(secret) && !/^\d{1,5}[/?#]/u.test(secret),
  },
  // Keys of a fixed length come last: another secret right behind one must be gone before its end is seen.
  {
    // On its own it is any forty signs; beside the id of its key it is known.
    kind: 'aws_secret',
    pattern:
      /((?:AKIA|ASIA)[A-Z0-9]{16}["']?[\s,:;|]{1,8}["']?)[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=])/gu,
  },
  { kind: 'aws_key', pattern: /(?<![A-Za-z0-9])A(?:KI|SI|BI|CC)A[A-Z0-9]{16}(?![A-Za-z0-9])/gu },
];

/**
 * The longest that a text can become, UTF-16 units: the shortest secret, a sign between others, may
 * become the longest mark.
 */
export function maxRedactedLength(length: number): number {
  return length * '[REDACTED:password_assignment]'.length;
}

/** A pattern that an operator adds to those above. */
export type CustomPattern = {
  /** What its secrets are known as: at most 40 small letters and `_`. */
  readonly kind: string;
  /** Where it matches in a text, in order, without overlap and never empty. Must be linear. */
  readonly find: (text: string) => readonly { readonly start: number; readonly end: number }[];
};

/** The only way from outside text to the store: what is never stored can be neither found, logged nor restored. */
export type Redactor = {
  /**
   * The text with a mark in place of each secret, all else byte for byte. Redacting twice is redacting
   * once, but for custom patterns that look at what stands around a secret.
   */
  readonly redact: (text: string) => string;
  /** As `redact`, for a value of structured data: its name says whether it is a secret, too. */
  readonly redactNamed: (name: string, value: string) => string;
};

/**
 * Redacts what the built-in shapes know, and then what the custom patterns find between the marks.
 * Cost is linear in the text: patterns have bounded repeats, or end in one run that is not read again.
 */
export function createRedactor(patterns: readonly CustomPattern[] = []): Redactor {
  const redactAll = (text: string) =>
    patterns.reduce((redacted, pattern) => replaceCustom(redacted, pattern), redact(text));
  return {
    redact: redactAll,
    redactNamed: (name, value) =>
      replaceNamed(name, redactAll(value), (assignment) => mark(kindOf(assignment))),
  };
}

const MARK = /(\[REDACTED:[a-z_]{1,40}\])/u;

function replaceCustom(text: string, { kind, find }: CustomPattern): string {
  // Every second piece is a mark, which no pattern may break up.
  const pieces = text.split(MARK).map((piece, index) => {
    if (index % 2 === 1) return piece;
    let result = '';
    let done = 0;
    for (const { start, end } of find(piece)) {
      result += `${piece.slice(done, start)}[REDACTED:${kind}]`;
      done = end;
    }
    return result + piece.slice(done);
  });
  return pieces.join('');
}

function redact(text: string): string {
  let redacted = replacePrivateKeys(text, mark('private_key'));
  for (const { kind, pattern, isSecret } of SHAPES) {
    redacted = redacted.replace(pattern, (found: string, kept: unknown) => {
      const prefix = typeof kept === 'string' ? kept : '';
      const secret = found.slice(prefix.length);
      return isSecret === undefined || isSecret(secret) ? prefix + mark(kind) : found;
    });
  }
  return replaceAssigned(redacted, (assignment) => mark(kindOf(assignment)));
}

/**
 * A text from outside as it may be stored. It must keep to the rule before, and after: a mark may be
 * longer than the secret.
 *
 * @throws {InvalidInputError} naming the field and the rule that failed
 */
export function parseStoredText(
  value: string,
  rule: TextRule & { readonly redactor: Redactor },
): string {
  const text = parseText(value, rule);
  const redacted = rule.redactor.redact(text);
  return redacted === text ? text : parseText(redacted, rule);
}

/** Made once: texts glued anew for each secret cost more than all the rest of its replacement. */
const MARKS = new Map(SECRET_KINDS.map((kind) => [kind, ['[REDACTED:', kind, ']'].join('')]));

function mark(kind: SecretKind): string {
  return MARKS.get(kind) ?? `[REDACTED:${kind}]`;
}

function kindOf({ name, value }: Assignment): SecretKind {
  if (/(?:aws.*secret|^secret)accesskey$/.test(name)) return 'aws_secret';
  if (name.includes('azure') || /(?:account|sharedaccess|subscription)key$/.test(name)) {
    return 'azure_key';
  }
  if (!name.endsWith('token')) return 'password_assignment';
  if ((name.includes('npm') || name === 'authtoken') && !value.includes('.')) return 'npm_token';
  return name.endsWith('bearertoken') ? 'bearer_token' : 'password_assignment';
}

/** A variable, a template, a mask or a port with more behind it is no password. */
function isPassword(secret: string): boolean {
  if (/^\[REDACTED:[a-z_]{1,40}\](?:@|$)/u.test(secret)) return false;
  if (/^(?:\$?\{.*\}+|\$[A-Z_][A-Z0-9_]*|\$\(.*\)|%\w*%?|[*•xX.…]+)$/u.test(secret)) return false;
  return !/^\d{2,5}[,;|)\]]/u.test(secret);
}

function isRandomOrLongNumber(secret: string): boolean {
  return isRandom(secret) || /\d{5}/u.test(secret);
}
