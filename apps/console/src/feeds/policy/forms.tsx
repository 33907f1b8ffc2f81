import type { ReactNode } from 'react'
import type { AnswerOf } from '@saddle/contract/endpoint.ts'
import type { Jurisdiction } from '@saddle/contract/feeds/mds.ts'
import { mdsPolicyEndpoints, type MdsPolicy, type MdsRule } from '@saddle/contract/feeds/policy.ts'
import { FormDialog } from '#kit/form/FormDialog.tsx'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { CapEffect, ZoneEffect } from './effects.tsx'
import { textFile } from './textFile.tsx'

const { listMdsPolicies, bringMdsPolicies, takeMdsRule, undoMdsRule, removeMdsPolicy } = mdsPolicyEndpoints
const stale = [listMdsPolicies]

interface Closing {
  readonly onClose: () => void
}
export type Brought = AnswerOf<typeof bringMdsPolicies>['data']

interface Bringing extends Closing {
  readonly jurisdiction: Jurisdiction
  readonly onDone: (brought: Brought) => void
}

export function BringPolicies({ jurisdiction, onDone, onClose }: Bringing): ReactNode {
  const { id, name } = jurisdiction
  return (
    <FormDialog
      title={t('读入“{{name}}”的政策', { name })}
      call={bringMdsPolicies}
      about={String(id)}
      submit={t('读入')}
      stale={stale}
      done={({ data }) =>
        data.faults.length > 0
          ? null
          : t('读入 {{added}} 项政策，{{known}} 项此前已有', { added: data.added, known: data.known })
      }
      onDone={({ data }) => onDone(data)}
      onClose={onClose}
      fields={{
        url: text({
          label: t('接口地址'),
          type: 'url',
          placeholder: 'https://',
          isOptional: true,
          hint: t('城市的 MDS 地址，其下有 /policies 与 /geographies；也可以上传两个文件'),
          refusals: ['webhook_address', 'webhook_private', 'mds_policies_unread'],
        }),
        policies: textFile({ label: t('或 Policy 文件'), accept: '.json', note: t('选填') }),
        geographies: textFile({ label: t('与 Geography 文件'), accept: '.json', note: t('选填') }),
      }}
      input={(typed) => ({ jurisdictionId: id, ...typed })}
    >
      <p>{t('读入后逐条列出会成为什么、上一周会有什么影响；采用之前什么都不会改变。')}</p>
    </FormDialog>
  )
}

interface RuleProps extends Closing {
  readonly policy: MdsPolicy
  readonly rule: MdsRule
}

export function TakeRule({ rule, onClose }: RuleProps): ReactNode {
  const { id, version, name, becomes } = rule
  return (
    <FormDialog
      title={t('采用规则“{{name}}”', { name })}
      call={takeMdsRule}
      about={String(id)}
      submit={t('采用')}
      stale={stale}
      done={({ data }) =>
        becomes === 'cap' ? t('已采用，开始清点') : t('已生成 {{count}} 个禁停区', { count: data.fences })
      }
      onClose={onClose}
      fields={{}}
      input={() => ({ ruleId: id, version })}
    >
      {becomes === 'cap' ? <CapEffect rule={rule} /> : <ZoneEffect rule={rule} />}
    </FormDialog>
  )
}

export function UndoRule({ rule, onClose }: RuleProps): ReactNode {
  const { id, version, name, becomes } = rule
  return (
    <FormDialog
      title={t('撤销采用规则“{{name}}”', { name })}
      call={undoMdsRule}
      about={String(id)}
      submit={t('撤销采用')}
      stale={stale}
      done={() => t('已撤销')}
      onClose={onClose}
      fields={{}}
      input={() => ({ ruleId: id, version })}
    >
      <p>
        {becomes === 'cap'
          ? t('此后不再按这个上限清点车辆。')
          : t('由它生成的禁停区立即删除；历史版本保留，可以恢复。')}
      </p>
    </FormDialog>
  )
}

export function RemovePolicy({ policy, onClose }: Closing & { readonly policy: MdsPolicy }): ReactNode {
  return (
    <FormDialog
      title={t('移除政策“{{name}}”', { name: policy.name })}
      call={removeMdsPolicy}
      about={String(policy.id)}
      submit={t('移除')}
      stale={stale}
      done={() => t('已移除')}
      onClose={onClose}
      fields={{}}
      input={() => ({ id: policy.id })}
    >
      <p>{t('只用于误读入的政策；已采用的规则须先撤销。')}</p>
    </FormDialog>
  )
}
