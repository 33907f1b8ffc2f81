import { useState, type ReactNode } from 'react'
import type { Activity } from '@saddle/contract/marketing/activities.ts'
import { useAction } from '#kit/action/useAction.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { t } from '#kit/i18n/index.ts'
import { Button, ButtonLink } from '#kit/plain/Button.tsx'
import { useRewardChoices } from '../rewards/rewardFields.tsx'
import { commonOfRow } from './ActivityFormPage.tsx'
import { formTo, type AnyKindUi } from './kind.ts'
import { PastWeeks } from './PastWeeks.tsx'
import { staleOf } from './words.ts'

interface Props {
  readonly of: AnyKindUi
  readonly activity: Activity<object>
}

/** What can be done with an activity. Pausing and resuming can be taken back; starting and ending ask first. */
export function Acts({ of, activity }: Props): ReactNode {
  const { id, state, shown } = activity
  const [asked, setAsked] = useState<'start' | 'end' | null>(null)
  const close = () => setAsked(null)
  const turn = useAction(of.calls.switchState, {
    stale: staleOf(of),
    done: ({ data }) => (data.state === 'on' ? t('已恢复活动') : t('已暂停活动')),
    undo: (_, input) => ({ id, state: input.state === 'on' ? ('paused' as const) : ('on' as const) }),
  })
  const isOpen = state !== 'ended'
  return (
    <p className="form-choices">
      <ButtonLink to={formTo(of, { from: id })}>{t('复制')}</ButtonLink>
      {isOpen && <ButtonLink to={formTo(of, { id })}>{t('修改')}</ButtonLink>}
      {isOpen && state !== 'draft' && <Button onClick={() => setAsked('end')}>{t('结束')}</Button>}
      {state === 'on' && shown !== 'over' && (
        <Button busy={turn.isBusy} onClick={() => turn.send({ id, state: 'paused' })}>
          {t('暂停')}
        </Button>
      )}
      {state === 'paused' && shown !== 'over' && (
        <Button look="primary" busy={turn.isBusy} onClick={() => turn.send({ id, state: 'on' })}>
          {t('恢复')}
        </Button>
      )}
      {shown === 'dry' && (
        <ButtonLink look="primary" to={formTo(of, { id })}>
          {t('增加预算')}
        </ButtonLink>
      )}
      {state === 'draft' && (
        <Button look="primary" onClick={() => setAsked('start')}>
          {t('启动')}
        </Button>
      )}
      {asked === 'start' && <StartDialog of={of} activity={activity} onClose={close} />}
      {asked === 'end' && <EndDialog of={of} activity={activity} onClose={close} />}
    </p>
  )
}

type DialogProps = Props & { readonly onClose: () => void }

/** Shows what the activity would have done before it begins. */
function StartDialog({ of, activity, onClose }: DialogProps) {
  const { id, agentId, name, terms } = activity
  const rewards = useRewardChoices(of.givesRewards === true)
  return (
    <FormDialog
      title={t('启动“{{name}}”', { name })}
      call={of.calls.switchState}
      about={`start ${id}`}
      fields={{}}
      input={() => ({ id, state: 'on' as const })}
      submit={t('启动')}
      stale={staleOf(of)}
      done={() => t('活动已启动')}
      onClose={onClose}
    >
      <p>{of.words(terms, rewards)}</p>
      <PastWeeks of={of} activity={{ agentId, common: commonOfRow(activity), terms }} />
    </FormDialog>
  )
}

function EndDialog({ of, activity, onClose }: DialogProps) {
  const { id, name } = activity
  return (
    <FormDialog
      title={t('结束“{{name}}”', { name })}
      call={of.calls.switchState}
      about={`end ${id}`}
      fields={{}}
      input={() => ({ id, state: 'ended' as const })}
      submit={t('结束活动')}
      stale={staleOf(of)}
      done={() => t('活动已结束')}
      onClose={onClose}
    >
      <p>{t('结束后不能恢复，已给出的优惠不受影响。如果只是暂时停止，请使用暂停。')}</p>
    </FormDialog>
  )
}
