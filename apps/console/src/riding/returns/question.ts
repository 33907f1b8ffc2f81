/** A return that was chosen to be decided. */
export interface Chosen {
  readonly orderId: number
  readonly number: string
  readonly feeCents: number
}
