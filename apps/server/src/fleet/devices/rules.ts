/** Fifteen digits of which the last checks the others (Luhn, as 3GPP TS 23.003 asks). */
export function isImei(text: string): boolean {
  if (!/^\d{15}$/.test(text)) return false
  let sum = 0
  for (let index = 0; index < 15; index += 1) {
    const digit = Number(text[index])
    const weighed = index % 2 === 0 ? digit : digit * 2
    sum += weighed > 9 ? weighed - 9 : weighed
  }
  return sum % 10 === 0
}
