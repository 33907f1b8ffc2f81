import type { ReactNode } from 'react'
import {
  helpPicturesMax,
  parseHelpText,
  picturesOf,
  type HelpBlock,
  type HelpSpan,
} from '@saddle/contract/marketing/helpText.ts'
import { helpEndpoints } from '@saddle/contract/marketing/help.ts'
import type { ShownPhoto } from '@saddle/contract/photos/photo.ts'
import { t } from '#kit/i18n/index.ts'
import { urlOfPhoto } from '#kit/photos/urls.ts'
import { useEndpoint } from '#kit/query.ts'
import './help.css'

/** The text of an article as riders read it. It is drawn from parsed blocks: no text becomes HTML. */
export function HelpText({ text }: { text: string }): ReactNode {
  const ids = picturesOf(text).slice(0, helpPicturesMax)
  const { data } = useEndpoint(
    helpEndpoints.helpPictures,
    { ids },
    { enabled: ids.length > 0, staleMs: Number.POSITIVE_INFINITY, keepPrevious: true, quiet: true },
  )
  const photos = new Map((data?.data.list ?? []).map((photo) => [photo.id, photo]))
  return (
    <div className="help-text">
      {parseHelpText(text).map((block, index) => (
        // Blocks have no identity of their own.
        // oxlint-disable-next-line react/no-array-index-key -- see above
        <Block key={index} block={block} photos={photos} />
      ))}
    </div>
  )
}

function Block({ block, photos }: { block: HelpBlock; photos: ReadonlyMap<string, ShownPhoto> }) {
  switch (block.kind) {
    case 'heading':
      return (
        <h4>
          <Spans spans={block.spans} />
        </h4>
      )
    case 'paragraph':
      return (
        <p>
          <Spans spans={block.spans} />
        </p>
      )
    case 'list': {
      const items = block.items.map((item, index) => (
        // oxlint-disable-next-line react/no-array-index-key -- items have no identity of their own
        <li key={index}>
          <Spans spans={item} />
        </li>
      ))
      return block.isOrdered ? <ol>{items}</ol> : <ul>{items}</ul>
    }
    case 'picture': {
      const photo = photos.get(block.photoId)
      return photo === undefined ? (
        <span className="help-picture-missing">{t('图片加载中')}</span>
      ) : (
        <img src={urlOfPhoto(photo)} width={photo.width} height={photo.height} alt={block.alt} />
      )
    }
  }
}

function Spans({ spans }: { spans: readonly HelpSpan[] }) {
  return spans.map((span, index) => {
    const key = `${index} ${span.text}`
    if (span.kind === 'bold') return <b key={key}>{span.text}</b>
    if (span.kind === 'link') {
      return (
        <a key={key} href={span.href} target="_blank" rel="noreferrer noopener">
          {span.text}
        </a>
      )
    }
    return <span key={key}>{span.text}</span>
  })
}
