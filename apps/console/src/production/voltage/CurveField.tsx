import { useRef, useState, type ReactNode } from 'react'
import {
  curveFaultLabels,
  curvePointsMax,
  curveText,
  faultOfCurve,
  parseCurve,
  percentAt,
  type CurvePoint,
} from '@saddle/contract/fleet/batteryCurve.ts'
import { Chart } from '#kit/charts/Chart.tsx'
import { saveFile } from '#kit/exports/save.ts'
import type { ControlProps, Field } from '#kit/form/field.ts'
import { t } from '#kit/i18n/index.ts'
import { Button } from '#kit/plain/Button.tsx'
import './voltage.css'

/** A point as it is typed. */
interface TypedPoint {
  readonly volts: string
  readonly percent: string
}

const typedOf = ({ voltageV, percent }: CurvePoint): TypedPoint => ({
  volts: String(voltageV),
  percent: String(percent),
})
const numberOf = (text: string): number => (text.trim() === '' ? Number.NaN : Number(text))
const pointsOf = (typed: readonly TypedPoint[]): readonly CurvePoint[] =>
  typed.map(({ volts, percent }) => ({ voltageV: numberOf(volts), percent: numberOf(percent) }))

/** The points of a curve: a table to type in, a chart beside it, and files in and out. */
export function curveField({
  initial,
  fileName,
}: {
  readonly initial: readonly CurvePoint[]
  readonly fileName: string
}): Field<readonly TypedPoint[], CurvePoint[]> {
  return {
    label: t('曲线'),
    isGroup: true,
    initial: initial.map(typedOf),
    read: (value) => {
      const points = pointsOf(value)
      const wrong = faultOfCurve(points)
      if (wrong === null) return { value: [...points] }
      return { fault: t('第 {{no}} 个点：{{fault}}', { no: wrong.at + 1, fault: t(curveFaultLabels[wrong.fault]) }) }
    },
    control: (props) => <CurveControl {...props} fileName={fileName} />,
  }
}

type CurveProps = ControlProps<readonly TypedPoint[]> & { readonly fileName: string }

function CurveControl(props: CurveProps) {
  const { id, value, onChange, describedBy, isInvalid, fileName } = props
  const points = pointsOf(value)
  const [notRead, setNotRead] = useState<string | null>(null)
  const take = (text: string): void => {
    const found = parseCurve(text)
    if (found.points === null) return setNotRead(t('第 {{line}} 行不是“电压,电量”', { line: found.line }))
    if (found.points.length > curvePointsMax) return setNotRead(t(curveFaultLabels.many))
    setNotRead(null)
    return onChange(found.points.map(typedOf))
  }
  const change = (at: number, part: Partial<TypedPoint>) =>
    onChange(value.map((point, index) => (index === at ? { ...point, ...part } : point)))
  return (
    <div
      className="curve-editor"
      aria-invalid={isInvalid}
      aria-describedby={describedBy}
      onPaste={(event) => {
        const text = event.clipboardData.getData('text')
        // One line is what goes into a field; several are a table.
        if (!text.trim().includes('\n')) return
        event.preventDefault()
        take(text)
      }}
    >
      <table>
        <thead>
          <tr>
            <th scope="col">{t('电压（V）')}</th>
            <th scope="col">{t('电量（%）')}</th>
            <th scope="col">
              <span className="visually-hidden">{t('操作')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {value.map((point, index) => (
            // A point has no other name than its place.
            // oxlint-disable-next-line react/no-array-index-key
            <tr key={index}>
              <td>
                <input
                  id={index === 0 ? id : undefined}
                  className="form-input"
                  inputMode="decimal"
                  aria-label={t('第 {{no}} 个点的电压', { no: index + 1 })}
                  value={point.volts}
                  onChange={({ target }) => change(index, { volts: target.value })}
                />
              </td>
              <td>
                <input
                  className="form-input"
                  inputMode="numeric"
                  aria-label={t('第 {{no}} 个点的电量', { no: index + 1 })}
                  value={point.percent}
                  onChange={({ target }) => change(index, { percent: target.value })}
                />
              </td>
              <td>
                <Button
                  look="quiet"
                  aria-label={t('移除第 {{no}} 个点', { no: index + 1 })}
                  onClick={() => onChange(value.filter((_, other) => other !== index))}
                >
                  {t('移除')}
                </Button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <div>
        <CurveChart points={points} />
        <p className="form-choices">
          <Button
            disabled={value.length >= curvePointsMax}
            onClick={() => onChange([...value, { volts: '', percent: '' }])}
          >
            {t('添加点')}
          </Button>
          <Button onClick={() => onChange(value.toSorted((one, other) => numberOf(one.volts) - numberOf(other.volts)))}>
            {t('按电压排序')}
          </Button>
        </p>
        <CurveFiles points={points} fileName={fileName} onText={take} />
        <p className="form-hint">{t('也可以从表格复制两列（电压、电量），粘贴到任一格')}</p>
        {notRead !== null && <p role="alert">{notRead}</p>}
      </div>
    </div>
  )
}

interface FilesProps {
  readonly points: readonly CurvePoint[]
  readonly fileName: string
  readonly onText: (text: string) => void
}

/** The points as a file, and points from a file. */
function CurveFiles({ points, fileName, onText }: FilesProps) {
  const file = useRef<HTMLInputElement>(null)
  return (
    <p className="form-choices">
      <Button onClick={() => file.current?.click()}>{t('导入点（CSV）')}</Button>
      <Button
        disabled={faultOfCurve(points) !== null}
        onClick={() => saveFile(`${fileName}.csv`, ['\ufeff', curveText(points)])}
      >
        {t('导出点（CSV）')}
      </Button>
      <input
        ref={file}
        type="file"
        accept=".csv,.txt"
        hidden
        aria-label={t('导入点（CSV）')}
        onChange={({ target }) => {
          void target.files?.[0]?.text().then(onText)
          target.value = ''
        }}
      />
    </p>
  )
}

const steps = 40

/** The curve as it is read between its points; nothing while it is wrong. */
export function CurveChart({ points }: { readonly points: readonly CurvePoint[] }): ReactNode {
  const [first, last] = [points[0], points.at(-1)]
  if (faultOfCurve(points) !== null || first === undefined || last === undefined) {
    return <p className="chart-none">{t('点填写正确后显示曲线')}</p>
  }
  const volts = Array.from(
    { length: steps + 1 },
    (_, step) => first.voltageV + ((last.voltageV - first.voltageV) * step) / steps,
  )
  return (
    <Chart
      title={t('电压与电量')}
      height={220}
      min={0}
      max={100}
      labels={volts.map((volt) => `${volt.toFixed(1)} V`)}
      series={[{ name: t('电量'), unit: '%', kind: 'line', values: volts.map((volt) => percentAt(points, volt)) }]}
    />
  )
}
