/** A word of the database as one of those that the contract knows. Throws RangeError on any other. */
export function known<T extends string | number>(values: readonly T[], text: string | number): T {
  const value = values.find((one) => one === text)
  if (value === undefined) throw new RangeError(`unknown value ${text}`)
  return value
}
