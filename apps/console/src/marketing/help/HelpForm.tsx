import type { ReactNode } from 'react'
import { helpEndpoints, type HelpContent } from '@saddle/contract/marketing/help.ts'
import { FormDrawer } from '#kit/form/FormDialog.tsx'
import { t } from '#kit/i18n/index.ts'
import { CompanyChoice, useCompany } from './CompanyChoice.tsx'
import { helpContentOf, helpFormFields, staleHelp } from './helpFields.ts'
import { HelpPhones } from './HelpPhones.tsx'

const widthPx = 1_240

interface NewProps {
  /** The content to begin with: a copy. */
  readonly of: HelpContent | null
  readonly onClose: () => void
}

/** A new article, which is a draft until it is published. */
export function NewHelpForm({ of, onClose }: NewProps): ReactNode {
  const company = useCompany()
  const { agentId, areas } = company
  if (agentId === null) return null
  return (
    <FormDrawer
      key={agentId}
      widthPx={widthPx}
      title={t('新增文章')}
      call={helpEndpoints.saveHelp}
      about={`new-${agentId}`}
      fields={helpFormFields(of, { agentId, areas })}
      input={(values) => ({ agentId, content: helpContentOf(values) })}
      submit={t('保存为草稿')}
      stale={staleHelp}
      done={() => t('已保存为草稿，发布后骑行者可见')}
      onClose={onClose}
    >
      {(values) => (
        <div className="content-beside" data-wide="true">
          <CompanyChoice {...company} />
          <HelpPhones content={values} />
        </div>
      )}
    </FormDrawer>
  )
}

interface ChangeProps {
  readonly article: { readonly id: number; readonly agentId: number; readonly version: number }
  readonly content: HelpContent
  readonly onClose: () => void
}

/** The next version of an article. */
export function ChangeHelpForm({ article, content, onClose }: ChangeProps): ReactNode {
  const { id, agentId, version } = article
  const { areasOf } = useCompany()
  return (
    <FormDrawer
      widthPx={widthPx}
      title={t('修改文章')}
      call={helpEndpoints.saveHelp}
      about={`${id}-${version}`}
      fields={helpFormFields(content, { agentId, areas: areasOf(agentId) })}
      input={(values) => ({ id, version, content: helpContentOf(values) })}
      submit={t('保存新版本')}
      stale={staleHelp}
      done={() => t('已保存新版本，发布后骑行者可见')}
      onClose={onClose}
    >
      {(values) => (
        <div className="content-beside" data-wide="true">
          <HelpPhones content={values} />
        </div>
      )}
    </FormDrawer>
  )
}
