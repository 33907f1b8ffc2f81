/** Converts a database code to one of the codes in the contract. Throws RangeError for any other value. */
export function codeOf<T extends string | number>(values: readonly T[], text: string | number): T {
  const value = values.find((one) => one === text)
  if (value === undefined) throw new RangeError(`unknown value ${text}`)
  return value
}
