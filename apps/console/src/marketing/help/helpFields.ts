import {
  helpCategories,
  helpCategoryLabels,
  helpEndpoints,
  type HelpContent,
  type HelpState,
} from '@saddle/contract/marketing/help.ts'
import { many, select, type Option } from '#kit/form/choiceFields.tsx'
import type { Inputs } from '#kit/form/field.ts'
import { text } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import type { Tone } from '#kit/ui/Mark.tsx'
import { helpBody } from './HelpEditor.tsx'

/** Readings that an act on articles makes stale. */
export const staleHelp = [helpEndpoints.listHelp, helpEndpoints.helpVersions]

export const toneOfHelp: Readonly<Record<HelpState, Tone>> = {
  draft: 'off',
  scheduled: 'info',
  published: 'good',
  withdrawn: 'off',
}

/** The fields of an article; they begin with those of another version or article. */
export function helpFormFields(
  of: HelpContent | null,
  { agentId, areas }: { agentId: number; areas: readonly Option<number>[] },
) {
  return {
    category: select({
      label: t('分类'),
      at: 'content.category',
      initial: of?.category ?? 'start',
      options: helpCategories.map((value) => ({ value, label: t(helpCategoryLabels[value]) })),
    }),
    areaIds: many<number>({
      label: t('适用服务区'),
      note: t('不选则全部'),
      at: 'content.areaIds',
      options: areas,
      initial: of?.areaIds ?? [],
    }),
    title: text({ label: t('中文标题'), at: 'content.title', initial: of?.title ?? '' }),
    body: helpBody({
      label: t('中文正文'),
      at: 'content.body',
      initial: of?.body ?? '',
      agentId,
      refusals: ['photo_missing'],
    }),
    titleEn: text({ label: t('英文标题'), at: 'content.titleEn', initial: of?.titleEn ?? '', isOptional: true }),
    bodyEn: helpBody({
      label: t('英文正文'),
      note: t('选填'),
      at: 'content.bodyEn',
      initial: of?.bodyEn ?? '',
      agentId,
      isOptional: true,
    }),
  }
}

/** The content as the call takes it. */
export const helpContentOf = (values: Inputs<ReturnType<typeof helpFormFields>>): HelpContent => ({
  ...values,
  titleEn: values.titleEn ?? '',
})
