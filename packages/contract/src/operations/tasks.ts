import { z } from 'zod'
import {
  answerOf,
  answeredIdSchema,
  idSchema,
  instantSchema,
  latSchema,
  lngSchema,
  plainTextSchema,
  searchTextSchema,
} from '#contract/answers.ts'
import { basePath, pageSizeMax } from '#contract/constants.ts'
import { bodyLimits, defineEndpoints } from '#contract/endpoint.ts'
import { vehicleStateSchema } from '#contract/fleet/vehicles.ts'
import { list } from '#contract/list.ts'
import { photoIdSchema, photosSchema, shownPhotoSchema } from '#contract/photos/photo.ts'
import { taskFilterSchema } from './taskFilter.ts'
import { usedPartsSchema } from './usedParts.ts'
import {
  taskCheckCodes,
  taskKinds,
  taskOutcomes,
  taskPriorities,
  taskReviews,
  taskSources,
  taskStates,
  taskSteps,
  taskTriggers,
} from './taskWords.ts'

/** Tasks that one call may make, hand out, cancel or review. */
export const taskBatchMax = 200
export const taskNoteMax = 200
/** The nearest so many; whoever looks farther moves first. */
export const tasksNearMax = 100
/** Tasks that one map holds: the most urgent. */
export const tasksMapMax = 800
/** Above so many the count is told as "so many or more". */
export const taskCountMax = 10_000
/** Photos that one task may have as proof. */
export const taskPhotosMax = 3
/** Photos of one task that are shown: the latest of those that its steps and its end brought. */
export const taskShownPhotosMax = 6

const pointSchema = z.strictObject({ lat: latSchema, lng: lngSchema })
const noteSchema = plainTextSchema.trim().max(taskNoteMax)
const prioritySchema = z.literal(taskPriorities)
/** Where the person stood; phones do not always know. */
const whereSchema = pointSchema.optional()

const placeSchema = z.object({
  lat: z.number(),
  lng: z.number(),
  fenceId: answeredIdSchema.nullable(),
  name: z.string(),
})

export const taskSchema = z.object({
  id: answeredIdSchema,
  kind: z.enum(taskKinds),
  state: z.enum(taskStates),
  source: z.enum(taskSources),
  priority: prioritySchema,
  agentId: answeredIdSchema,
  areaId: answeredIdSchema,
  areaName: z.string(),
  vehicleId: answeredIdSchema,
  number: z.string(),
  /** As the vehicle is now. */
  vehicle: z.object({
    state: vehicleStateSchema,
    batteryPercent: z.number().nullable(),
    position: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  }),
  openedAt: instantSchema,
  /** By when it is to be done; null: nobody said. */
  dueAt: instantSchema.nullable(),
  claimedAt: instantSchema.nullable(),
  onSiteAt: instantSchema.nullable(),
  /** When it was done or cancelled. */
  doneAt: instantSchema.nullable(),
  assigneeId: answeredIdSchema.nullable(),
  /** Who has it or did it, by the name of that day. */
  personName: z.string().nullable(),
  /** What a rule saw, with its figure: percent, hours, reports, vehicles. */
  trigger: z.enum(taskTriggers).nullable(),
  triggerDetail: z.string(),
  triggerValue: z.number().nullable(),
  /** The rule's reason has gone while somebody was on the way. */
  causeGoneAt: instantSchema.nullable(),
  /** Where the vehicle stood when it was opened, and where it is to go. */
  from: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  to: placeSchema.nullable(),
  note: z.string(),
  /** Metres from where the question was asked; null when nobody said where that is. */
  distanceM: z.number().nullable(),
  /** What the person brought back. */
  doneNote: z.string(),
  photoIds: z.array(photoIdSchema),
  scannedNumber: z.string().nullable(),
  batteryBefore: z.number().nullable(),
  batteryAfter: z.number().nullable(),
  donePlace: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  /** What kept somebody from finishing it, until it is handed out anew or done. */
  outcome: z.enum(taskOutcomes).nullable(),
  outcomeAt: instantSchema.nullable(),
  /** What was looked at before it was finished, and what was not in order. */
  checksFine: z.array(z.enum(taskCheckCodes)),
  checksFailed: z.array(z.enum(taskCheckCodes)),
  reason: z.string().nullable(),
  /** What the person earns and what the parts cost, once it is done. */
  payCents: z.int(),
  partsCents: z.int(),
  review: z.enum(taskReviews),
  reviewedAt: instantSchema.nullable(),
  reviewerName: z.string().nullable(),
  reviewNote: z.string(),
})
export type Task = z.infer<typeof taskSchema>

export const taskStepSchema = z.object({
  id: answeredIdSchema,
  step: z.enum(taskSteps),
  at: instantSchema,
  /** Null: the platform itself. */
  personName: z.string().nullable(),
  place: z.object({ lat: z.number(), lng: z.number() }).nullable(),
  note: z.string(),
  photoIds: z.array(photoIdSchema),
})
export type TaskStepEntry = z.infer<typeof taskStepSchema>

export { taskFilterSchema, type TaskFilter } from './taskFilter.ts'

/** By urgency: priority, then what is due first; what has no time comes last. */
export const taskList = list({ row: taskSchema, filter: taskFilterSchema, sorts: { opened: 'desc', due: 'asc' } })

const reads = {
  host: 'platform',
  permission: ['0909'],
  scope: 'area',
  idempotency: 'none',
} as const
/** What somebody on the street does. The client makes the key, so that a queue without a network can repeat it. */
const works = { host: 'platform', permission: ['0909'], scope: 'area', idempotency: 'key', method: 'POST' } as const
/** What somebody at a desk decides about the work of others. */
const directs = { ...works, permission: ['090901'] } as const

const checksSchema = z
  .array(z.strictObject({ check: z.enum(taskCheckCodes), isFine: z.boolean() }))
  .max(taskCheckCodes.length)
  .refine((list) => new Set(list.map(({ check }) => check)).size === list.length, { error: '检查项重复' })
  .default([])

const path = `${basePath}/platform/task`
const oneTask = answerOf(taskSchema)
/** Each for itself: what could not be done does not hold up the rest. */
const manyTasks = answerOf(
  z.object({
    done: z.array(answeredIdSchema),
    refused: z.array(z.object({ id: answeredIdSchema, promot: z.string() })),
  }),
)
const idsSchema = z.array(idSchema).min(1).max(taskBatchMax)

const taskFile = { ...taskList.file, bodyLimitBytes: bodyLimits.lists }
export const taskEndpoints = defineEndpoints({
  searchTasks: { ...reads, ...taskList.page, path: `${path}/search`, summary: '运维任务列表' },
  listTasks: {
    ...reads,
    method: 'GET',
    path,
    summary: '现场与看板的任务，附各状态的数量；新的在前、先到期的在前，或离给定位置近的在前（只给最近的一批）',
    input: z
      .object({
        filter: taskFilterSchema.default({}),
        sort: z.enum(['newest', 'due', 'near']).default('newest'),
        near: pointSchema.optional(),
        cursor: z.string().max(200).optional(),
        pageSize: z.coerce.number().int().min(1).max(pageSizeMax).default(20),
      })
      .refine(({ sort, near }) => sort !== 'near' || near !== undefined, { error: '请给出位置' }),
    output: answerOf(
      z.object({
        list: z.array(taskSchema),
        /** Null: this was the last page. */
        nextCursor: z.string().nullable(),
        /** Only with the first page: tasks of each state that meet the other conditions; each at most `taskCountMax`. */
        counts: z.record(z.enum(taskStates), z.int()).nullable(),
      }),
    ),
  },
  mapTasks: {
    ...reads,
    method: 'GET',
    path: `${path}/map`,
    summary: '地图上的任务：符合条件的全部，最紧急的在前，超过上限的不列',
    input: z.object({ filter: taskFilterSchema.default({}) }),
    output: answerOf(z.object({ list: z.array(taskSchema), isCut: z.boolean() })),
  },
  taskDetail: {
    ...reads,
    method: 'GET',
    path: `${path}/detail`,
    summary: '一个任务与它的每一步：谁、何时、在哪里',
    input: z.object({ id: idSchema }),
    output: answerOf(
      z.object({
        task: taskSchema,
        /** The caller has it or did it. */
        isMine: z.boolean(),
        steps: z.array(taskStepSchema),
        parts: z.array(z.object({ name: z.string(), unit: z.string(), pieces: z.int(), cents: z.int() })),
      }),
    ),
  },
  taskPhotos: {
    ...reads,
    method: 'GET',
    path: `${path}/photo`,
    summary: '一个任务的现场照片',
    input: z.object({ id: idSchema }),
    output: answerOf(z.object({ photos: z.array(shownPhotoSchema) })),
  },
  taskWorkers: {
    ...reads,
    method: 'GET',
    path: `${path}/worker`,
    summary: '可以领取任务的人员，以及每人手上的任务数；给出服务区时，只列能处理其中每一个的人',
    input: z.object({ areaIds: z.array(idSchema).max(taskBatchMax).default([]) }),
    output: answerOf(
      z.object({
        list: z.array(
          z.object({
            operatorId: answeredIdSchema,
            name: z.string(),
            agentId: answeredIdSchema,
            /** Not finished, by anybody's hand-out or their own claim. */
            unfinished: z.int(),
          }),
        ),
      }),
    ),
  },
  createTasks: {
    ...directs,
    path,
    reverse: 'cancelTasks',
    bodyLimitBytes: bodyLimits.lists,
    summary: '为一批车辆创建任务；已有同类未完成任务的车辆逐一说明',
    input: z
      .object({
        vehicleIds: z.array(idSchema).max(taskBatchMax).default([]),
        numbers: z.array(plainTextSchema.trim().min(1).max(40)).max(taskBatchMax).default([]),
        kind: z.enum(taskKinds),
        priority: prioritySchema.default(2),
        dueAt: instantSchema.optional(),
        note: noteSchema.default(''),
        /** A parking place to take it to. */
        toFenceId: idSchema.optional(),
        assigneeId: idSchema.optional(),
      })
      .refine(({ vehicleIds, numbers }) => vehicleIds.length + numbers.length > 0, { error: '请给出车辆' })
      .refine(({ vehicleIds, numbers }) => vehicleIds.length + numbers.length <= taskBatchMax, {
        error: '一次最多 200 辆',
      }),
    output: answerOf(
      z.object({
        created: z.array(answeredIdSchema),
        refused: z.array(z.object({ vehicle: z.string(), promot: z.string() })),
      }),
    ),
  },
  claimTask: {
    ...works,
    path: `${path}/claim`,
    summary: '领取一个任务',
    input: z.object({ id: idSchema, place: whereSchema }),
    output: oneTask,
  },
  releaseTask: {
    ...works,
    path: `${path}/release`,
    summary: '退回自己领取的任务',
    input: z.object({ id: idSchema, note: noteSchema.default('') }),
    output: oneTask,
  },
  transferTask: {
    ...works,
    path: `${path}/transfer`,
    summary: '把自己的任务转交给另一个人',
    input: z.object({ id: idSchema, operatorId: idSchema, note: noteSchema.default('') }),
    output: oneTask,
  },
  startTask: {
    ...works,
    path: `${path}/start`,
    summary: '到达现场，开始处理',
    input: z.object({ id: idSchema, place: whereSchema }),
    output: oneTask,
  },
  completeTask: {
    ...works,
    path: `${path}/complete`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '完成任务并提交凭证：照片、扫码、电量、更换的配件',
    input: z.object({
      id: idSchema,
      place: whereSchema,
      /** What was read from the vehicle's code; must be the task's vehicle. */
      scannedNumber: searchTextSchema.min(1).max(40).optional(),
      photos: photosSchema(taskPhotosMax),
      batteryAfter: z.number().min(0).max(100).optional(),
      /** Of a repair: why, and what went into it. Of an inspection: what it found broken. */
      reasonId: idSchema.optional(),
      parts: usedPartsSchema,
      checks: checksSchema,
      note: noteSchema.default(''),
      /** When it was done, where the network was away; never before the claim nor in the future. */
      doneAt: instantSchema.optional(),
    }),
    output: oneTask,
  },
  reportTask: {
    ...works,
    path: `${path}/report`,
    bodyLimitBytes: bodyLimits.photos,
    summary: '现场反馈：没找到车、车在院内的任务退回或转交，需要支援的留在自己手上或转交；并通知调度人员',
    input: z.object({
      id: idSchema,
      outcome: z.enum(taskOutcomes),
      place: whereSchema,
      photos: photosSchema(taskPhotosMax),
      note: noteSchema.default(''),
      /** Who takes it over; nobody: it goes back, or stays with who needs help. */
      operatorId: idSchema.optional(),
      /** When it was seen, as `doneAt` of a completion. */
      seenAt: instantSchema.optional(),
    }),
    output: oneTask,
  },
  assignTasks: {
    ...directs,
    path: `${path}/assign`,
    summary: '把一批任务派给一个人；已在别人手上的也改派',
    input: z.object({ ids: idsSchema, operatorId: idSchema, note: noteSchema.default('') }),
    output: manyTasks,
  },
  cancelTasks: {
    ...directs,
    path: `${path}/cancel`,
    reverse: 'reopenTasks',
    summary: '取消一批未完成的任务，须说明原因',
    input: z.object({ ids: idsSchema, note: noteSchema.min(1) }),
    output: manyTasks,
  },
  reopenTasks: {
    ...directs,
    path: `${path}/reopen`,
    summary: '恢复一批刚取消的任务',
    input: z.object({ ids: idsSchema }),
    output: manyTasks,
  },
  prioritiseTasks: {
    ...directs,
    path: `${path}/priority`,
    summary: '修改一批未完成任务的优先级与期限',
    input: z
      .object({ ids: idsSchema, priority: prioritySchema.optional(), dueAt: instantSchema.nullable().optional() })
      .refine(({ priority, dueAt }) => priority !== undefined || dueAt !== undefined, { error: '没有要修改的内容' }),
    output: manyTasks,
  },
  reviewTasks: {
    ...directs,
    permission: ['090902'],
    path: `${path}/review`,
    summary: '审核一批完成的任务；不通过的须说明原因，且不计报酬；不能审核自己的任务',
    input: z
      .object({ ids: idsSchema, decision: z.enum(['approved', 'rejected']), note: noteSchema.default('') })
      .refine(({ decision, note }) => decision === 'approved' || note !== '', { error: '请说明原因' }),
    output: manyTasks,
  },
  exportTasks: { ...reads, ...taskFile, path: `${path}/export`, summary: '导出任务（CSV）' },
})
