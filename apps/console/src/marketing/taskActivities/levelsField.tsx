import type { ReactNode } from 'react'
import type { Reward } from '@saddle/contract/marketing/rewards.ts'
import { taskLevelsMax, taskTargetMax, type TaskLevel } from '@saddle/contract/marketing/taskActivities.ts'
import type { Common, ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import { blankReward, editedOf, readRewards, RewardRows, type EditedReward } from '../rewards/rewardFields.tsx'

export interface EditedLevel {
  readonly target: string
  readonly rewards: readonly EditedReward[]
}

/** Levels, each above the one before, with what it gives. */
export function levelsField(
  options: Common & { readonly initial?: readonly TaskLevel[] },
): Field<readonly EditedLevel[], { target: number; rewards: Reward[] }[]> {
  const { initial = [], ...rest } = options
  const edited = initial.map(({ target, rewards }) => ({ target: String(target), rewards: rewards.map(editedOf) }))
  return {
    ...rest,
    isGroup: true,
    initial: edited.length === 0 ? [{ target: '3', rewards: [blankReward] }] : edited,
    read: readLevels,
    control: (props) => <Levels {...props} />,
  }
}

function readLevels(
  edited: readonly EditedLevel[],
): { readonly value: { target: number; rewards: Reward[] }[] } | { readonly fault: string } {
  const found: { target: number; rewards: Reward[] }[] = []
  for (const { target: typed, rewards: given } of edited) {
    const target = /^\d{1,9}$/.test(typed.trim()) ? Number(typed) : 0
    if (target < 1 || target > taskTargetMax) return { fault: t('目标应为 1 至 {{max}}', { max: taskTargetMax }) }
    if (target <= (found.at(-1)?.target ?? 0)) return { fault: t('每一级的目标应高于上一级') }
    const rewards = readRewards(given)
    if ('fault' in rewards) return rewards
    found.push({ target, rewards: rewards.value })
  }
  return { value: found }
}

function Levels({ value, onChange }: ControlProps<readonly EditedLevel[]>): ReactNode {
  const change = (index: number, next: EditedLevel | null): void =>
    onChange(value.flatMap((one, at) => (at !== index ? [one] : next === null ? [] : [next])))
  return (
    <div className="reward-rows">
      {value.map((level, index) => {
        const label = t('第 {{n}} 级', { n: index + 1 })
        return (
          // oxlint-disable-next-line react/no-array-index-key -- a level has nothing else that tells it apart
          <section key={index} className="task-level" aria-label={label}>
            <p className="task-level-head">
              <strong>{label}</strong>
              {t('达到')}
              <input
                className="form-input"
                inputMode="numeric"
                aria-label={`${label} ${t('目标')}`}
                value={level.target}
                onChange={({ target }) => change(index, { ...level, target: target.value })}
              />
              {value.length > 1 && (
                <Button aria-label={t('删除{{label}}', { label })} onClick={() => change(index, null)}>
                  {t('删除')}
                </Button>
              )}
            </p>
            <RewardRows
              label={`${label} ${t('奖励')}`}
              value={level.rewards}
              onChange={(rewards) => change(index, { ...level, rewards })}
            />
          </section>
        )
      })}
      {value.length < taskLevelsMax && (
        <Button
          onClick={() =>
            onChange([
              ...value,
              { target: String(Number(value.at(-1)?.target ?? 0) * 2 || ''), rewards: [blankReward] },
            ])
          }
        >
          {t('添加等级')}
        </Button>
      )}
    </div>
  )
}
