import type { Metric } from './metrics.ts'

/**
 * The figures of the pages of statistics, in the words of the registry: what each is called, its unit, its formula, and of which
 * sums of its answer it is made. No report has them, because persons and kinds of work tell them apart.
 */
const row = <Name extends string>(metric: Metric<Name>): Metric<Name> => metric

/** Of finished work: sums of `WorkSum`. */
const workMetrics = {
  workDone: row({ title: '完成', unit: 'count', formula: '在该时段完成的任务数', plus: ['done'] }),
  workPersons: row({ title: '出勤人数', unit: 'count', formula: '在该时段完成过任务的人数', plus: ['persons'] }),
  workOnTimePercent: row({
    title: '按时完成率',
    unit: 'percent',
    formula: '按时完成的任务 ÷ 有时限的已完成任务',
    plus: ['onTime'],
    over: ['due'],
    scale: 100,
  }),
  workMinutes: row({
    title: '平均用时',
    unit: 'minutes',
    formula: '从创建到完成的时长之和 ÷ 完成',
    plus: ['waitSeconds', 'workSeconds'],
    over: ['done'],
    scale: 1 / 60,
    isBad: true,
  }),
  workWaitMinutes: row({
    title: '平均等待',
    unit: 'minutes',
    formula: '从创建到领取的时长之和 ÷ 完成',
    plus: ['waitSeconds'],
    over: ['done'],
    scale: 1 / 60,
    isBad: true,
  }),
  workActiveMinutes: row({
    title: '平均作业',
    unit: 'minutes',
    formula: '从领取到完成的时长之和 ÷ 完成',
    plus: ['workSeconds'],
    over: ['done'],
    scale: 1 / 60,
    isBad: true,
  }),
  workPerHour: row({
    title: '每小时完成',
    unit: 'ratio',
    formula: '完成 ÷ 从领取到完成的小时数之和',
    plus: ['done'],
    over: ['workSeconds'],
    scale: 3_600,
  }),
  workPerPersonDay: row({
    title: '每人每天完成',
    unit: 'ratio',
    formula: '完成 ÷ 每天完成过任务的人数之和',
    plus: ['done'],
    over: ['personDays'],
  }),
  workPhotoPercent: row({
    title: '有照片',
    unit: 'percent',
    formula: '有照片的任务 ÷ 完成',
    plus: ['withPhoto'],
    over: ['done'],
    scale: 100,
  }),
  workRejected: row({
    title: '未通过',
    unit: 'count',
    formula: '完成后审核未通过的任务数',
    plus: ['rejected'],
    isBad: true,
  }),
  batteryBeforePercent: row({
    title: '换前平均电量',
    unit: 'percent',
    formula: '换电前电量之和 ÷ 有电量记录的换电次数',
    plus: ['batteryBefore'],
    over: ['measured'],
  }),
  batteryGainPercent: row({
    title: '每次补充电量',
    unit: 'percent',
    formula: '换电前后电量之差的和 ÷ 有电量记录的换电次数',
    plus: ['batteryAfter'],
    minus: ['batteryBefore'],
    over: ['measured'],
  }),
  partsCents: row({
    title: '配件费用',
    unit: 'cents',
    formula: '完成的任务所用配件的金额之和',
    plus: ['partsCents'],
    isBad: true,
  }),
  workPayCents: row({ title: '报酬', unit: 'cents', formula: '完成的任务计给完成者的金额之和', plus: ['payCents'] }),
}

/** Of faults that inspections reported: sums of `ReportSum`, and how many inspections there were. */
const faultMetrics = {
  faults: row({ title: '上报故障', unit: 'count', formula: '在该时段巡检上报的故障数', plus: ['reports'] }),
  faultVehicles: row({ title: '涉及车辆', unit: 'count', formula: '在该时段被上报故障的车辆数', plus: ['vehicles'] }),
  faultsPerHundred: row({
    title: '每百次巡检上报',
    unit: 'ratio',
    formula: '上报故障 ÷ 完成的巡检次数 × 100',
    plus: ['reports'],
    over: ['inspections'],
    scale: 100,
  }),
  faultConfirmedPercent: row({
    title: '维修确认率',
    unit: 'percent',
    formula: '上报后维修完成的故障 ÷ 上报故障',
    plus: ['confirmed'],
    over: ['reports'],
    scale: 100,
  }),
  faultRepairHours: row({
    title: '平均修复用时',
    unit: 'ratio',
    formula: '从上报到维修完成的小时数之和 ÷ 维修完成的故障',
    plus: ['repairSeconds'],
    over: ['confirmed'],
    scale: 1 / 3_600,
    isBad: true,
  }),
}

/** Of vehicles at the end of each day: the mean of their states, weighed by vehicles. */
const vehicleMetrics = {
  batteryPercent: row({
    title: '平均电量',
    unit: 'percent',
    formula: '每日结束时车辆电量之和 ÷ 有电量记录的车辆日',
    plus: ['batteryPercents'],
    over: ['batteryVehicleDays'],
  }),
}

export const statisticsMetrics = { ...workMetrics, ...faultMetrics, ...vehicleMetrics } as const
export type StatisticsMetricName = keyof typeof statisticsMetrics
