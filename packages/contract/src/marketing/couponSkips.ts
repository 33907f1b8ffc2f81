/** Why a coupon was not issued to somebody of the list. */
export const couponSkipReasons = ['unknown', 'closed', 'cap', 'twice'] as const
export type CouponSkipReason = (typeof couponSkipReasons)[number]
export const couponSkipReasonLabels: Readonly<Record<CouponSkipReason, string>> = {
  unknown: '没有这位用户',
  closed: '用户已注销',
  cap: '已达每人持有上限',
  twice: '名单中重复',
}
