/**
 * What the platform itself writes where a person could have written a reason: in steps of withdrawals, on cards and in entries of
 * the ledger. The sentences are stored, because books never change; screens show them in their reader's language.
 */
export const platformNotes = {
  password: '支付密码已验证',
  passwordAndSecond: '支付密码已验证，超过个人限额，等待另一人复核',
  confirmed: '复核通过',
  takenBack: '申请人撤回',
  refusedBySecond: '复核未通过',
  sent: '发往银行',
  sentAgain: '以同一单号重新发送',
  notReceived: '银行没有收到',
  nobodyConfirmed: '无人复核',
  noPassword: '没有输入支付密码',
  tooManyTries: '验证错误次数过多',
  usesReturned: '骑行已退款，次数退回',
  usesLapsed: '到期未用的次数',
  channelRefund: '渠道对账差异退款',
  depositBack: '骑行者退押金',
  balanceBack: '骑行者退余额',
} as const

const sentences: ReadonlySet<string> = new Set(Object.values(platformNotes))

/** Whether a note is one of the platform's own. */
export const isPlatformNote = (text: string): boolean => sentences.has(text)
