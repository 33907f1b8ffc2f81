/** A code of the database as one of those that the contract names. Throws RangeError on any other. */
export function codeOf<T extends string | number>(values: readonly T[], text: string | number): T {
  const value = values.find((one) => one === text)
  if (value === undefined) throw new RangeError(`unknown value ${text}`)
  return value
}
