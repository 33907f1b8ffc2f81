import type { ReactNode } from 'react'
import { centsOfYuan, yuanText } from '@saddle/contract/money.ts'
import { repairConfigEndpoints, type TaskPay } from '@saddle/contract/operations/repairConfig.ts'
import { taskKindLabels } from '@saddle/contract/operations/taskWords.ts'
import type { ControlProps, Field } from '#kit/form/field.ts'
import { Form } from '#kit/form/Form.tsx'
import { t } from '#kit/i18n/index.ts'
import { usePermissions } from '#kit/session/permissions.ts'
import { holdsPermission } from '@saddle/contract/permissions.ts'
import { staleConfig } from './stale.ts'

interface Props {
  readonly agentId: number
  readonly list: readonly TaskPay[]
}

/** What is typed for one kind of task. */
interface Typed {
  readonly kind: TaskPay['kind']
  readonly yuan: string
  readonly reviewed: boolean
}

const typedOf = ({ kind, cents, reviewed }: TaskPay): Typed => ({ kind, yuan: yuanText(cents), reviewed })

/** What one task of each kind pays, and whether somebody looks at it first. */
export function PayForm({ agentId, list }: Props): ReactNode {
  const { held } = usePermissions()
  return (
    <section className="page-card repair-pay">
      <Form
        key={JSON.stringify(list)}
        call={repairConfigEndpoints.saveTaskPay}
        about={agentId}
        fields={{ pay: payField(list) }}
        input={({ pay }) => ({ agentId, pay })}
        adjust={({ pay }) => ({
          pay: { fault: JSON.stringify(pay) === JSON.stringify(list.map(typedOf)) ? t('没有要修改的内容') : null },
        })}
        blocked={holdsPermission(held, '0501') ? null : t('没有修改维修配置的权限')}
        submit={t('保存任务报酬')}
        stale={staleConfig}
        done={() => t('已保存任务报酬，此后完成的任务按此计算')}
        undo={() => ({ agentId, pay: [...list] })}
      >
        <p className="work-note">
          {t('报酬按任务完成时的设置计入；须审核的任务，审核不通过则不计报酬。报酬与配件费用只作统计，不记入资金账。')}
        </p>
      </Form>
    </section>
  )
}

const payField = (list: readonly TaskPay[]): Field<readonly Typed[], TaskPay[]> => ({
  label: t('任务报酬'),
  initial: list.map(typedOf),
  isGroup: true,
  read: (rows) => {
    const pay = rows.flatMap(({ kind, yuan, reviewed }) => {
      const cents = centsOfYuan(yuan)
      return cents === null ? [] : [{ kind, cents, reviewed }]
    })
    return pay.length === rows.length ? { value: pay } : { fault: t('请填写有效的金额') }
  },
  control: (props) => <PayRows {...props} />,
})

function PayRows({ value: rows, onChange, faultAt }: ControlProps<readonly Typed[]>) {
  const put = (row: Typed) => onChange(rows.map((one) => (one.kind === row.kind ? row : one)))
  return (
    <table className="repair-pay-rows" aria-label={t('任务报酬')}>
      <thead>
        <tr>
          <th>{t('类型')}</th>
          <th>{t('每个任务（元）')}</th>
          <th>{t('完成后须审核')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => {
          const kind = t(taskKindLabels[row.kind])
          return (
            <tr key={row.kind}>
              <th scope="row">{kind}</th>
              <td>
                <input
                  className="form-input"
                  inputMode="decimal"
                  aria-label={t('{{kind}}每个任务（元）', { kind })}
                  aria-invalid={centsOfYuan(row.yuan) === null || faultAt(`${index}.cents`) !== null}
                  value={row.yuan}
                  onChange={({ target }) => put({ ...row, yuan: target.value })}
                />
              </td>
              <td>
                <input
                  type="checkbox"
                  aria-label={t('{{kind}}完成后须审核', { kind })}
                  checked={row.reviewed}
                  onChange={({ target }) => put({ ...row, reviewed: target.checked })}
                />
              </td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}
