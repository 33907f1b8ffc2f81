import type { ReactNode } from 'react'
import { usedPartsMax, usedPiecesMax } from '@saddle/contract/operations/usedParts.ts'
import { t } from '#kit/i18n/index.ts'
import type { RepairChoices } from './useField.ts'

/** The reason of the fault, and the parts used. */
export interface Repaired {
  readonly reasonId: number | null
  readonly parts: readonly { readonly partId: number; readonly pieces: number }[]
}

interface Props {
  readonly choices: RepairChoices
  readonly value: Repaired
  readonly onChange: (value: Repaired) => void
}

/** The reason of a fault and the parts of its repair, chosen with a thumb. */
export function Repair({ choices, value, onChange }: Props): ReactNode {
  const { reasons, parts } = choices
  const left = parts.filter(({ id }) => !value.parts.some(({ partId }) => partId === id))
  const set = (partId: number, pieces: number): void =>
    onChange({
      ...value,
      parts: value.parts
        .map((used) => (used.partId === partId ? { partId, pieces } : used))
        .filter((used) => used.pieces > 0),
    })
  return (
    <>
      <h3>{t('维修内容')}</h3>
      {reasons.length > 0 && (
        <label className="field-choice">
          {t('故障原因')}
          <select
            value={value.reasonId ?? ''}
            onChange={({ target }) =>
              onChange({ ...value, reasonId: target.value === '' ? null : Number(target.value) })
            }
          >
            <option value="">{t('请选择')}</option>
            {reasons.map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {value.parts.length > 0 && (
        <ul className="field-parts" aria-label={t('使用的配件')}>
          {value.parts.map(({ partId, pieces }) => (
            <PartRow
              key={partId}
              part={parts.find(({ id }) => id === partId)}
              pieces={pieces}
              onPieces={(next) => set(partId, next)}
            />
          ))}
        </ul>
      )}
      {left.length > 0 && value.parts.length < usedPartsMax && (
        <label className="field-choice">
          {t('使用的配件（选填）')}
          <select
            value=""
            onChange={({ target }) =>
              onChange({ ...value, parts: [...value.parts, { partId: Number(target.value), pieces: 1 }] })
            }
          >
            <option value="">{t('添加配件')}</option>
            {left.map(({ id, name, stock, unit }) => (
              <option key={id} value={id}>
                {t('{{name}}（库存 {{stock}} {{unit}}）', { name, stock, unit })}
              </option>
            ))}
          </select>
        </label>
      )}
    </>
  )
}

interface RowProps {
  /** Undefined: it went out of the list while it was chosen. */
  readonly part: RepairChoices['parts'][number] | undefined
  readonly pieces: number
  readonly onPieces: (pieces: number) => void
}

function PartRow({ part, pieces, onPieces }: RowProps) {
  const name = part?.name ?? '--'
  return (
    <li>
      <span>{name}</span>
      <button type="button" aria-label={t('{{name}} 减一', { name })} onClick={() => onPieces(pieces - 1)}>
        −
      </button>
      <output>
        {pieces} {part?.unit}
      </output>
      <button
        type="button"
        aria-label={t('{{name}} 加一', { name })}
        disabled={pieces >= usedPiecesMax}
        onClick={() => onPieces(pieces + 1)}
      >
        +
      </button>
    </li>
  )
}
