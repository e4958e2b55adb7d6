/**
 * Numbers and hex digits, half a byte each: of a number three bits a digit, the lowest first, and the fourth bit says
 * that more follow. What page indexes hold is mostly less than eight.
 */
const MORE = 8;

export class DigitWriter {
  readonly #digits: number[] = [];

  number(value: number): this {
    let left = value;
    while (left >= MORE) {
      this.#digits.push((left % MORE) + MORE);
      left = Math.floor(left / MORE);
    }
    this.#digits.push(left);
    return this;
  }

  /** Any whole number: those below zero take the odd ones. */
  difference(value: number): this {
    return this.number(value < 0 ? -2 * value - 1 : 2 * value);
  }

  /** How long it is, and then its digits. */
  hex(text: string): this {
    this.number(text.length);
    for (const digit of text) this.#digits.push(Number.parseInt(digit, 16));
    return this;
  }

  bytes(): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(this.#digits.length / 2));
    this.#digits.forEach((digit, at) => {
      bytes[at >> 1]! |= at % 2 === 0 ? digit << 4 : digit;
    });
    return bytes;
  }
}

export class DigitReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  #digit(): number {
    const byte = this.#bytes[this.#at >> 1];
    if (byte === undefined) throw new RangeError('packed digits end too early');
    return this.#at++ % 2 === 0 ? byte >> 4 : byte & 15;
  }

  number(): number {
    let value = 0;
    for (let scale = 1; ; scale *= MORE) {
      const digit = this.#digit();
      if (digit < MORE) return value + digit * scale;
      value += (digit - MORE) * scale;
    }
  }

  difference(): number {
    const value = this.number();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  hex(): string {
    let text = '';
    for (let left = this.number(); left > 0; left--) text += this.#digit().toString(16);
    return text;
  }
}
