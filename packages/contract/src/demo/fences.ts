import { demoAreas } from './city.ts'

/**
 * Parking places and no-stop zones of the demo city as plain data. They follow the streets that the simulator draws;
 * its tests check that what stands here still fits that drawing.
 */
export type DemoFence = {
  kind: 'parking' | 'no_stop'
  name: string
  /** Index into demoAreas. */
  areaIndex: number
  /** WGS-84. */
  centre: { lng: number; lat: number }
  /** Set for parking places, which are circles. */
  radiusM: number | null
  /** Vehicles that find room; null for zones. */
  capacity: number | null
  /** Set for zones: closed, counter-clockwise, WGS-84. */
  ring: [lng: number, lat: number][] | null
}

const parkingRadiusM = 30

/** Streets in the order of the areas' kerbs; a number tells several places on one street apart. */
const parkingStreets: readonly string[] = [
  '桐林路 兴阳路 梅庭街 秋塘街 桂里西街 临渡西街 云岸路 临溪巷 丰渡路 兴苑路 康庭巷 桐林路2 云苑北路 丰渡路2 瑞庭路 德圩街 仁林路 桐林路3 桂里西街2 秋塘街2 云苑南路 临渡西街2 丰渡路3 云苑北路2 仁林路2 观溪街 枫园巷 竹泾街 瑞庭路2 云岸路2',
  '荷溪南路 临苑巷 柳泽街 竹泾街 景岸路 仁港西街 松月巷 枫园巷 观岸路 瑞林路 春里巷 景岸路2 春阳街 康华路 瑞林路2 枫亭路 清港路 竹泾街2 康华路2 观塘东街 临苑巷2 竹泾街3 荷溪北路 柳泽街2 永岸路 瑞林路3 柳坊路 枫园巷2 祥浦北路 丰浦路',
  '梅华巷 仁桥街 临光街 观溪街 春阳街 竹泾街 兴华巷 锦泾路 锦泽路 柳亭路 兴华巷2 兴华巷3 明港路 柳泽街 锦溪北路 锦泾路2 秋塘街 锦泾路3 临光街2 明港路2 临苑巷 明港路3 观溪街2 锦溪北路2 观塘东街 祥光北路 明华路 祥光北路2 春里巷 德圩街',
  '瑞庭路 临溪巷 桐林路 兴苑路 云岸路 秋里巷 云苑南路 秋里巷2 云坊街 兴苑路2 兴阳路 兴苑路3 丰渡路 秋里巷3 景圩南路 秋里巷4 秋里巷5 兴苑路4 云苑南路2 景圩南路2 梅庭街 景圩南路3 兴阳路2 景圩南路4 云坊街2 秋里巷6 瑞庭路2 丰渡路2 云坊街3 云坊街4',
  '仁桥街 仁桥街2 梅庭街 康华路 清阳路 桂里东街 秋里巷 瑞林路 临溪巷 秋里巷2 文光街 康华路2 枫亭路 云坊街 临溪巷2 永岸路 观岸路 仁桥街3 秋里巷3 文光街2 荷溪南路 荷溪南路2 康华路3 瑞林路2 清阳路2 丰浦路 梅庭街2 枫亭路2 祥浦南路 观岸路2',
  '锦溪南路 仁苑路 梅庭街 云坊街 桂里东街 桂里东街2 云坊街2 明港路 桂里东街3 仁苑路2 桂里东街4 文光街 明华路 景坊路 祥光南路 云坊街3 祥光南路2 锦泾路 临溪巷 云坊街4 柳亭路 秋里巷 文光街2 锦溪南路2 梅庭街2 桂里东街5 明华路2 景坊路2 秋里巷2 明华路3',
]

const zones: readonly { name: string; areaIndex: number; ring: string }[] = [
  {
    name: '人民广场站出入口',
    areaIndex: 1,
    ring: '120.71350,31.26298 120.71497,31.26298 120.71497,31.26424 120.71350,31.26424 120.71350,31.26298',
  },
  {
    name: '南浦站出入口',
    areaIndex: 4,
    ring: '120.70787,31.23050 120.70934,31.23050 120.70934,31.23177 120.70787,31.23177 120.70787,31.23050',
  },
  {
    name: '澄湖大学教学区',
    areaIndex: 2,
    ring: '120.75678,31.28208 120.75952,31.28208 120.75952,31.28442 120.75678,31.28442 120.75678,31.28208',
  },
  {
    name: '澄湖职业学院教学区',
    areaIndex: 0,
    ring: '120.66341,31.26108 120.66614,31.26108 120.66614,31.26342 120.66341,31.26342 120.66341,31.26108',
  },
  {
    name: '镜湖公园步行区',
    areaIndex: 0,
    ring: '120.68442,31.28862 120.68757,31.28862 120.68757,31.29132 120.68442,31.29132 120.68442,31.28862',
  },
  {
    name: '东郊公园步行区',
    areaIndex: 2,
    ring: '120.77090,31.26253 120.77405,31.26253 120.77405,31.26523 120.77090,31.26523 120.77090,31.26253',
  },
  {
    name: '体育公园步行区',
    areaIndex: 0,
    ring: '120.69339,31.25411 120.69654,31.25411 120.69654,31.25682 120.69339,31.25682 120.69339,31.25411',
  },
  {
    name: '市第一医院急救通道',
    areaIndex: 0,
    ring: '120.68127,31.26605 120.68222,31.26605 120.68222,31.26686 120.68127,31.26686 120.68127,31.26605',
  },
  {
    name: '实验小学校门',
    areaIndex: 1,
    ring: '120.72235,31.26993 120.72329,31.26993 120.72329,31.27074 120.72235,31.27074 120.72235,31.26993',
  },
  {
    name: '市第二医院急救通道',
    areaIndex: 2,
    ring: '120.75932,31.27451 120.76027,31.27451 120.76027,31.27532 120.75932,31.27532 120.75932,31.27451',
  },
  {
    name: '城南小学校门',
    areaIndex: 3,
    ring: '120.68052,31.22652 120.68147,31.22652 120.68147,31.22733 120.68052,31.22733 120.68052,31.22652',
  },
  {
    name: '妇幼医院急救通道',
    areaIndex: 4,
    ring: '120.72123,31.22972 120.72217,31.22972 120.72217,31.23053 120.72123,31.23053 120.72123,31.22972',
  },
  {
    name: '湖东小学校门',
    areaIndex: 5,
    ring: '120.75950,31.23670 120.76045,31.23670 120.76045,31.23751 120.75950,31.23751 120.75950,31.23670',
  },
]

function parkingPlaces(areaIndex: number): DemoFence[] {
  const streets = (parkingStreets[areaIndex] ?? '').split(' ')
  const kerbs = demoAreas[areaIndex]?.kerbs ?? []
  return kerbs.map(([lng, lat], index): DemoFence => {
    const [, street = '', number = ''] = /^(\D+)(\d*)$/.exec(streets[index] ?? '') ?? []
    return {
      kind: 'parking',
      name: `${street}停车点${number}`,
      areaIndex,
      centre: { lng, lat },
      radiusM: parkingRadiusM,
      // Small, middling and large places, in turn.
      capacity: [20, 30, 45][index % 3] ?? 30,
      ring: null,
    }
  })
}

function noStopZone({ name, areaIndex, ring: text }: (typeof zones)[number]): DemoFence {
  const ring = text.split(' ').map((point): [number, number] => {
    const [lng = 0, lat = 0] = point.split(',').map(Number)
    return [lng, lat]
  })
  const middle = (axis: 0 | 1) => {
    const values = ring.map((point) => point[axis])
    return (Math.min(...values) + Math.max(...values)) / 2
  }
  return {
    kind: 'no_stop',
    name,
    areaIndex,
    centre: { lng: middle(0), lat: middle(1) },
    radiusM: null,
    capacity: null,
    ring,
  }
}

/** All of them, parking places first; the order never changes. */
export const demoFences: readonly DemoFence[] = [
  ...demoAreas.flatMap((_, areaIndex) => parkingPlaces(areaIndex)),
  ...zones.map(noStopZone),
]
