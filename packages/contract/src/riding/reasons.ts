/**
 * Why a line of a charge, a refund or a command is what it is. The server stores the sentence with its values filled in,
 * because it is evidence; whoever shows it in another language reads the values back out of it.
 */
const reasons = {
  start: '起步价',
  startCovers: '起步价，含前 {{minutes}} 分钟',
  time: '第 {{from}} 分钟起，每 {{every}} 分钟 {{yuan}} 元',
  distance: '超出 {{from}} 米后，每 {{every}} 米 {{yuan}} 元',
  band: '{{name}} {{from}}–{{to}} 加价 {{percent}}%，{{units}} 个计费单位',
  dayCap: '{{day}} 骑行封顶 {{yuan}} 元',
  dayCapReached: '{{day}} 骑行封顶 {{yuan}} 元，当日此前已计 {{spent}} 元',
  ridingCard: '{{name}}，每次前 {{minutes}} 分钟免费',
  freeMinutes: '{{name}}，前 {{minutes}} 分钟免费',
  freeStart: '{{name}}，免起步价',
  percentOff: '{{name}}，优惠 {{percent}}%',
  percentOffUpTo: '{{name}}，优惠 {{percent}}%，最多减 {{yuan}} 元',
  centsOff: '{{name}}，减 {{yuan}} 元',
  centsOffFrom: '{{name}}，满 {{from}} 元减 {{yuan}} 元',
  feeOff: '{{name}}，免还车调度费',
  insurance: '骑行保险，每次',
  outOfPlace: '未停入停车点，收取调度费',
  outsideArea: '在服务区外还车，收取调度费',
  noStop: '在禁停区内还车，收取管理费',
  waived: '还车费用经审批免除',
  waivedBecause: '还车费用经审批免除：{{note}}',
  feeRefunded: '还车费用已退款',
  giftBalance: '赠送余额',
  giftOfRefund: '充值已退款，所赠余额收回',
  giftOfBalance: '退余额，赠送余额收回',
  abovePrepaidCap: '余额超过预付上限，充值款原路退回',
  unlock: '骑行开锁',
  ofOrder: '骑行订单 {{order}}',
  byApp: '骑行应用',
  byPlatform: '平台',
} as const

type Reason = keyof typeof reasons
type Values = Readonly<Record<string, string | number>>

export function reasonOf(reason: Reason, values: Values = {}): string {
  return reasons[reason].replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => String(values[name] ?? ''))
}

/** A sentence as `reasons` has it, and what stood in its places. */
export type ReadReason = { readonly sentence: string; readonly values: Readonly<Record<string, string>> }

const escaped = (text: string): string => text.replaceAll(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`)

const forms = Object.values(reasons).map((sentence) => {
  // Every second part is the name of a place.
  const parts = sentence.split(/\{\{(\w+)\}\}/)
  const pattern = parts.map((part, index) => (index % 2 === 0 ? escaped(part) : `(?<${part}>.+?)`)).join('')
  return { sentence, pattern: new RegExp(`^${pattern}$`, 'su') }
})

/** Reads a stored sentence back; null for one that a person wrote. */
export function readReason(text: string): ReadReason | null {
  for (const { sentence, pattern } of forms) {
    const match = pattern.exec(text)
    if (match !== null) return { sentence, values: { ...match.groups } }
  }
  return null
}
