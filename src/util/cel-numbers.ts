import type { ASTNode, Environment } from '@marcbachmann/cel-js';
import { UnsignedInt } from '@marcbachmann/cel-js/evaluator';

/**
 * The library's `int` and `double` take "" for 0, "0b11" for 3 and "1e3" for 1000. A blank quantity must not be sent
 * as 0, so calls of them go to stricter functions of the same meaning: text must be a plain decimal, as in a cell.
 */
const STRICT: Readonly<Record<string, string>> = {
  int: 'strictInt',
  uint: 'strictUint',
  double: 'strictDouble',
};

const WHOLE = /^[+-]?\d{1,19}$/;
const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;

export function registerStrictNumbers(environment: Environment): void {
  const register = (signature: string, handler: (value: never) => unknown): void => {
    environment.registerFunction(signature, handler);
  };
  register('strictInt(string): int', (text: string) => wholeOf(text));
  register('strictInt(int): int', (value: bigint) => value);
  register('strictInt(uint): int', (value: UnsignedInt) => value.value);
  register('strictInt(double): int', (value: number) => BigInt(Math.trunc(value)));
  register('strictInt(google.protobuf.Timestamp): int', (value: Date) =>
    BigInt(Math.floor(value.getTime() / 1000)),
  );
  register('strictUint(string): uint', (text: string) => unsigned(wholeOf(text)));
  register('strictUint(int): uint', (value: bigint) => unsigned(value));
  register('strictUint(uint): uint', (value: UnsignedInt) => value);
  register('strictUint(double): uint', (value: number) => unsigned(BigInt(Math.trunc(value))));
  register('strictDouble(string): double', (text: string) => decimalOf(text));
  register('strictDouble(double): double', (value: number) => value);
  register('strictDouble(int): double', (value: bigint) => Number(value));
  register('strictDouble(uint): double', (value: UnsignedInt) => Number(value.value));
}

/** Replaces the calls of an expression by calls of the stricter functions. */
export function useStrictNumbers(root: ASTNode): void {
  const pending: unknown[] = [root];
  while (pending.length > 0) {
    const it = pending.pop();
    if (Array.isArray(it)) pending.push(...it);
    else if (it !== null && typeof it === 'object' && 'op' in it) {
      const node = it as ASTNode;
      if (node.op === 'call') {
        const call = node.args as [string, ASTNode[]];
        call[0] = Object.hasOwn(STRICT, call[0]) ? STRICT[call[0]]! : call[0];
      }
      pending.push(node.args);
    }
  }
}

function wholeOf(text: string): bigint {
  const it = text.trim();
  if (!WHOLE.test(it)) throw new Error(`"${text}" is not a whole number in plain digits`);
  return BigInt(it);
}

function decimalOf(text: string): number {
  const it = text.trim();
  if (!DECIMAL.test(it)) throw new Error(`"${text}" is not a plain decimal number`);
  return Number(it);
}

function unsigned(value: bigint): UnsignedInt {
  if (value < 0n) throw new Error(`${value} is below 0`);
  return new UnsignedInt(value);
}
