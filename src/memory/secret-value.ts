/** What a name that a value is given under says of it: a password may be any word, a key is random. */
export type SecretSort = 'PASSWORD' | 'KEY';

export type Assigned = {
  readonly sort: SecretSort;
  readonly value: string;
  readonly isQuoted: boolean;
  /** Where values are written for machines: in quotes, as `NAME=value`, after a flag. Else it may be prose. */
  readonly isForMachines: boolean;
};

/**
 * `IF_ALONE`: a secret where name and value have the line to themselves, as in YAML. `IF_NO_ARGUMENT`:
 * unless a comma or a bracket follows, as behind arguments of a call.
 */
export type Verdict = 'SECRET' | 'NONE' | 'IF_ALONE' | 'IF_NO_ARGUMENT';

/** Shorter values under the name of a key are codes and counts. */
const MIN_KEY_LENGTH = 8;
/** A random value of this length is a key even in the middle of a sentence. */
const MIN_LENGTH_IN_PROSE = 10;
/** A password without digits and signs is told from a word of prose by its length. */
const MIN_WORD_LENGTH = 8;
/** As much of a value as tells its sort, UTF-16 units. */
const MAX_JUDGED = 256;
/** A letters-only value of one word, under the name of a key and written for machines. */
const MIN_KEY_WORD_LENGTH = 12;

/** What may close a bracket or a sentence behind a bare value. */
export const TAIL_SIGNS = '])};,.!?';

/** Values that speak of a secret and are none. */
const NO_SECRETS = new Set(
  `any bool boolean bytes changed char disabled empty enabled encrypted expired false forgotten hashed
  hidden id incorrect int integer invalid masked missing nil no none null number optional protected
  redacted required reset rotated str string text true undefined unknown unset varchar wrong yes`.split(
    /\s+/u,
  ),
);
const LONGEST_NO_SECRET = Math.max(...[...NO_SECRETS].map(({ length }) => length));
const SECRET_WORD = /pass(?:word|wd|phrase)?|pwd|secret|token|key|credential/iu;
const IS_SECRET_WORD = /^(?:pass(?:word|wd|phrase)?|pwd|secret|token|key|credential)s?$/iu;
const ALGORITHM = /^(?:argon|base|bcrypt|ed|es|hs|md|oauth|p|pbkdf|ps|rs|sha|tls|totp|utf|v)-?\d/iu;
const SENTENCE =
  / (?:a|an|and|are|at|be|by|can|for|from|has|if|in|is|it|its|must|not|of|on|or|that|the|this|to|was|will|with|you|your) /iu;

/** Whether a value that stands under the name of a secret is one, and not a word about it. */
export function judgeValue(assigned: Assigned): Verdict {
  const { sort, isQuoted, isForMachines } = assigned;
  const value = isQuoted ? assigned.value : withoutTail(assigned.value);
  const traits = traitsOf(value);
  if (value.length < 2 || isReference(value, traits, isQuoted)) return 'NONE';
  const hasDigit = (traits & DIGIT) !== 0;
  if (hasDigit ? ALGORITHM.test(value) : isNoSecret(value)) return 'NONE';
  const isPlain = isWordy(value);
  // What speaks of a secret does so when the secret in it was replaced, too.
  const isMarked = value.includes('[REDACTED:');
  const rest = isMarked ? value.replace(/\[REDACTED:[a-z_]{1,40}\]/gu, '') : value;
  if (!hasDigit && (isMarked ? isWordy(rest) : isPlain) && isOfSecretWords(rest)) return 'NONE';

  if (sort === 'KEY') {
    if (value.length < MIN_KEY_LENGTH || (traits & SPACE) !== 0) return 'NONE';
    // What had a blank before a secret in it was replaced is no key now either.
    if (isMarked) return 'NONE';
    if (!isPlain) {
      return isForMachines || value.length >= MIN_LENGTH_IN_PROSE ? 'SECRET' : 'IF_ALONE';
    }
    if (!isForMachines || /[^\p{L}\d]/u.test(value)) return 'NONE';
    const isKey = hasDigit
      ? /\p{L}/u.test(value)
      : !isQuoted && value.length >= MIN_KEY_WORD_LENGTH;
    return isKey ? 'SECRET' : 'NONE';
  }
  if ((traits & SPACE) !== 0) return SENTENCE.test(` ${value} `) ? 'NONE' : 'SECRET';
  if (isForMachines) {
    // `connect(user=user, password=word)` passes a variable on.
    return isQuoted || hasDigit || !isPlain ? 'SECRET' : 'IF_NO_ARGUMENT';
  }
  if (hasDigit) return value.length >= 4 ? 'SECRET' : 'NONE';
  if (/[!@$%^&+=?~#]/.test(value)) return value.length >= 6 ? 'SECRET' : 'NONE';
  return isPlain && value.length >= MIN_WORD_LENGTH ? 'IF_ALONE' : 'NONE';
}

/** What closes a bracket or a sentence behind a bare value, up to 8 signs. */
function withoutTail(value: string): string {
  let end = value.length;
  while (end > 0 && value.length - end < 8 && TAIL_SIGNS.includes(value.charAt(end - 1))) end -= 1;
  return value.slice(0, end);
}

function isNoSecret(value: string): boolean {
  return value.length <= LONGEST_NO_SECRET && NO_SECRETS.has(value.toLowerCase());
}

/** What a value has in it, as bits: looked for once, so that most patterns need not be tried. */
const [DIGIT, SPACE, COLON, BRACKET, STEP, WORD] = [1, 2, 4, 8, 16, 32];
const TRAITS = Uint8Array.from({ length: 128 }, (_, code) => {
  const sign = String.fromCharCode(code);
  if (/\d/.test(sign)) return DIGIT | WORD;
  if (/\s/.test(sign)) return SPACE;
  if (sign === ':') return COLON;
  if (sign === '(') return BRACKET;
  if (sign === '.' || sign === '[') return STEP;
  return /[A-Za-z]/.test(sign) ? WORD : 0;
});

function traitsOf(value: string): number {
  let traits = 0;
  for (let at = 0; at < value.length; at += 1) {
    const known = TRAITS[value.charCodeAt(at)];
    traits |= known ?? (/\s/.test(value.charAt(at)) ? SPACE : 0);
  }
  return traits;
}

/** A stretch of letters and a small number, or a date, with what parts it from the next. */
const WORDY_PART = /(?:\p{L}{0,17}\d{0,4}|\d{5,8})(?:[-_./:@+\s]|$)/uy;

/**
 * Whether a text reads like words and small numbers (`risk-assessment-framework-v2`), and not like
 * something drawn at random. The beginning decides: a megabyte of words is not worth reading.
 */
export function isWordy(text: string): boolean {
  const judged = text.length > MAX_JUDGED ? text.slice(0, MAX_JUDGED) : text;
  for (let at = 0; at < judged.length; at = WORDY_PART.lastIndex) {
    WORDY_PART.lastIndex = at;
    if (!WORDY_PART.test(judged)) return false;
    if (WORDY_PART.lastIndex - at >= 12 && countHumps(judged.slice(at, WORDY_PART.lastIndex)) > 3) {
      return false;
    }
  }
  return true;
}

/** Of a part that is long enough to be random. */
function countHumps(part: string): number {
  const word = part.replace(/[-_./:@+\s]$/u, '');
  return word.length < 12 ? 0 : (word.match(/\p{Ll}\p{Lu}/gu)?.length ?? 0);
}

/** A variable, a template, code, a mask, a path or an address: it names the secret, or hides it. */
function isReference(value: string, traits: number, isQuoted: boolean): boolean {
  const isWord = ((TRAITS[value.charCodeAt(0)] ?? 0) & WORD) !== 0;
  if (!isWord && isSignReference(value)) return true;
  if (/^[xX][*•xX.…_#?-]+$/.test(value)) return true;
  if ((traits & COLON) !== 0 && value.includes('://')) return true;
  if (isQuoted) return false;
  if (!isWord && /^[{[(<=:>|\\]/.test(value)) return true;
  if ((traits & COLON) !== 0 && /^(?:arn|op|vault|file|env):/.test(value)) return true;
  if ((traits & BRACKET) !== 0 && isCall(value)) return true;
  return (traits & (STEP | DIGIT)) === STEP && /^[\p{L}_$]+(?:\.[\p{L}_$]+|\[)+\]?$/u.test(value);
}

function isSignReference(value: string): boolean {
  if (/^\[REDACTED:[a-z_]{1,40}\]?$/.test(value)) return true;
  if (/^(?:[$#]\{|\{\{|\$\(|<|%\w{1,64}%$|%s$)/.test(value)) return true;
  if (/^\$(?:[A-Z_][A-Z0-9_]*|[a-z_.]+|\d+)$/.test(value)) return true;
  if (/^[*•xX.…_#?-]+$/.test(value)) return true;
  if (/^(?:\.{0,2}|~)\//.test(value) && isWordy(value)) return true;
  return /^\{.*\}$|^\[.*\]$/.test(value);
}

/** `getToken(`: a bracket, the first one and not far in, right behind a name. */
function isCall(value: string): boolean {
  const bracket = value.indexOf('(');
  return bracket > 0 && bracket <= MAX_JUDGED + 1 && /[\w$]/.test(value.charAt(bracket - 1));
}

/** `password`, `your-token`, `getPassword`, `user.secret`; but `supersecret` is a poor password. */
function isOfSecretWords(value: string): boolean {
  if (IS_SECRET_WORD.test(value)) return true;
  return SECRET_WORD.test(value) && /[-_./:@+]|\p{Ll}\p{Lu}/u.test(value);
}
