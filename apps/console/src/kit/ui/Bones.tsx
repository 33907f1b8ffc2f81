import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import './bones.css'

const rowCount = 12
const cardCount = 4
const lineCount = 5

/** The places of rows or cards of a list that is being read. */
export function RowBones({ isCards = false }: { readonly isCards?: boolean }): ReactNode {
  return (
    <output className="row-bones" data-cards={isCards} aria-busy="true" aria-label={t('正在加载…')}>
      {Array.from({ length: rowCount }, (_, index) => (
        <span key={index} />
      ))}
    </output>
  )
}

/** The places of a page's cards while the page is read. */
export function PageBones(): ReactNode {
  return (
    <output className="page-bones" aria-busy="true" aria-label={t('正在加载…')}>
      {Array.from({ length: cardCount }, (_card, card) => (
        <span key={card}>
          {Array.from({ length: lineCount }, (_line, line) => (
            <i key={line} />
          ))}
        </span>
      ))}
    </output>
  )
}
