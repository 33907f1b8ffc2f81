/** Made-up facts about the people of the demo's past: the same for the same rider, whoever asks. */

/** Spreads numbers that follow each other over all 32 bits. */
function mix(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x45d9f3b)
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x45d9f3b)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** A number from 0 (included) to `bound` (excluded), its own for each question. */
export const drawOf = (riderId: number, question: number, bound: number): number =>
  mix(Math.imul(riderId, 31) + question * 7_919) % bound

/** Where nobody is born: the first places of a certificate name a region, and this one does not exist. */
const region = '990106'
const weights = [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]
const checks = '10X98765432'

/** A certificate's number as it should look, of nobody. */
export function certNumberOf(riderId: number): string {
  const year = 1965 + drawOf(riderId, 1, 42)
  const month = String(1 + drawOf(riderId, 2, 12)).padStart(2, '0')
  const day = String(1 + drawOf(riderId, 3, 28)).padStart(2, '0')
  const stem = `${region}${year}${month}${day}${String(riderId % 1_000).padStart(3, '0')}`
  const sum = weights.reduce((total, weight, index) => total + weight * Number(stem[index]), 0)
  return `${stem}${checks[sum % 11]}`
}

const telephones = [
  ['iPhone 17', 'iOS 26.1'],
  ['iPhone 15', 'iOS 26.0'],
  ['HUAWEI Mate 80', 'HarmonyOS 6.0'],
  ['HUAWEI nova 14', 'HarmonyOS 5.1'],
  ['Xiaomi 17', 'Android 16'],
  ['Redmi Note 15', 'Android 15'],
  ['OPPO Reno15', 'Android 16'],
  ['vivo X300', 'Android 16'],
  ['HONOR 500', 'Android 15'],
] as const
const versions = ['5.2.1', '5.2.0', '5.1.3', '5.0.8'] as const

export function telephoneOf(riderId: number): { model: string; system: string; appVersion: string } {
  const [model, system] = telephones[drawOf(riderId, 4, telephones.length)] ?? telephones[0]
  return { model, system, appVersion: versions[drawOf(riderId, 5, versions.length)] ?? versions[0] }
}

const schools = ['城市职业技术学院', '滨江大学', '第三中学', '师范学院', '理工大学城东校区', '医科大学'] as const
const employers = ['市第一人民医院', '环卫集团', '顺达快递城西站', '公交公司'] as const
const pick = <T>(list: readonly [T, ...T[]], draw: number): T => list[draw % list.length] ?? list[0]

export const organisationOf = (riderId: number, kind: 'student' | 'profession'): string =>
  kind === 'student' ? pick(schools, drawOf(riderId, 6, 1_000)) : pick(employers, drawOf(riderId, 6, 1_000))

export const banReasons = [
  '多次将车辆停入小区并上私锁',
  '恶意损坏车锁',
  '使用他人身份证件注册',
  '多次违规停车经劝导不改',
  '殴打运维人员',
  '未成年人骑行',
] as const
export const rebindClaims = ['原手机号已停用', '换了新号码', '旧账号的手机丢了', ''] as const
export const refusals = ['照片不清晰，请重新拍摄', '证件已过期', '姓名与实名不一致'] as const
