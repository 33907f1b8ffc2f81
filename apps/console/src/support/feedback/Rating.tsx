import type { ReactNode } from 'react'
import { feedbackEndpoints } from '@saddle/contract/support/feedback.ts'
import { choice } from '#kit/form/choiceFields.tsx'
import { Form } from '#kit/form/Form.tsx'
import { longText } from '#kit/form/textFields.tsx'
import { t } from '#kit/i18n/index.ts'
import { staleFeedback } from './list.ts'
import './feedback.css'

const stars = [5, 4, 3, 2, 1] as const

/** How content the author is with what was done. */
export function Rating({ id }: { readonly id: number }): ReactNode {
  return (
    <section className="page-card tickets-answer">
      <h2>{t('评价处理结果')}</h2>
      <Form
        call={feedbackEndpoints.rateFeedback}
        about={id}
        fields={{
          rating: choice<number>({
            label: t('评分'),
            initial: 0,
            options: stars.map((value) => ({ value, label: t('{{count}} 星', { count: value }) })),
          }),
          text: longText({ label: t('评价'), rows: 2, isOptional: true }),
        }}
        adjust={({ rating }) => ({
          rating: { fault: rating === 0 ? t('请选择{{label}}', { label: t('评分') }) : null },
        })}
        input={({ rating, text }) => ({ id, rating, ...(text !== undefined && { text }) })}
        submit={t('提交评价')}
        stale={staleFeedback}
        done={() => t('已评价，工单已关闭')}
      />
    </section>
  )
}
