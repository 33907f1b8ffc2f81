import { demoAreas, type DemoAgentKey } from './city.ts'

/** Made-up people who work in the demo city's streets: the same ones in its past and in its simulated present. */

const names = ['周启航', '许嘉木', '方一鸣', '孟河清', '叶知秋', '韩山岳', '罗晴川', '邵云帆', '魏长风']
names.push('钟若水', '袁立夏', '唐小满', '孙谷雨', '廖春生', '莫北辰', '高远山', '金禾穗', '秦向阳')

export type DemoWorker = {
  readonly name: string
  /** A number that no network gives out to people. */
  readonly phone: string
  readonly agentKey: DemoAgentKey
  /** Index into demoAreas. */
  readonly areaIndex: number
  readonly shift: 'early' | 'late'
}

const perArea = 3

/** Three people for every area, two early and one late. */
/** In the data folder: drawings that field staff send as their photos, as base64. */
export const demoPicturesFile = 'demo-pictures.json'

export const demoStaff: readonly DemoWorker[] = demoAreas.flatMap(({ agentKey }, areaIndex) =>
  Array.from({ length: perArea }, (_, place): DemoWorker => {
    const index = areaIndex * perArea + place
    const phone = `170${String(index + 1).padStart(8, '0')}`
    return { name: names[index] ?? '', phone, agentKey, areaIndex, shift: place === perArea - 1 ? 'late' : 'early' }
  }),
)
