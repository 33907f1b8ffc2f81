import type { Random } from '#sim/random.ts'
import type { RoadClass } from './plan.ts'

const primaryStems = [
  '人民',
  '中山',
  '解放',
  '建设',
  '和平',
  '长江',
  '文昌',
  '迎宾',
  '澄湖',
  '金桥',
  '东吴',
  '望亭',
  '星海',
  '学院',
  '胜利',
  '安澜',
]
const firsts = '云锦桂柳梅竹松荷枫桐瑞祥永兴安康景文德仁丰泰清明春秋临观'.split('')
const seconds = '溪园桥浦港塘泾湾里坊华阳林苑庭泽岸光霞月台亭渡圩'.split('')

/** Hands out stems without repeating one: well-known ones to the large streets first. */
export function createNamer(random: Random): (roadClass: RoadClass) => string {
  const large = [...primaryStems]
  const small = firsts.flatMap((first) => seconds.map((second) => first + second))
  const take = (pool: string[]) => pool.splice(random.below(pool.length), 1)[0]
  return (roadClass) => (roadClass === 'primary' ? take(large) : undefined) ?? take(small) ?? '新城'
}

/** 路 runs north to south, 街 east to west, as in many river towns; the halves of a long one are told apart. */
export function streetName({
  stem,
  direction,
  roadClass,
  positive,
}: {
  stem: string
  direction: 'column' | 'row'
  roadClass: RoadClass
  /** North or east of the middle. */
  positive: boolean
}): string {
  const large = roadClass === 'primary' || roadClass === 'secondary'
  const half = !large ? '' : direction === 'column' ? (positive ? '北' : '南') : positive ? '东' : '西'
  if (direction === 'column') return `${stem}${half}${roadClass === 'primary' ? '大道' : '路'}`
  return `${stem}${half}${roadClass === 'residential' ? '巷' : '街'}`
}
