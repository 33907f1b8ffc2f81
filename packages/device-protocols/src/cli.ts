import { describeFrame } from './describe.ts'
import { ProtocolError } from './error.ts'

/** `decode -- <protocol> <frame>`: explains one frame as JSON, or says on stderr why it cannot. */
function main([protocol, ...words]: string[]): number {
  if (protocol === undefined || words.length === 0) {
    process.stderr.write('usage: npm run --silent decode -- <protocol> <frame>\n')
    return 1
  }
  try {
    // A frame with a space in it arrives in pieces when it was not quoted.
    process.stdout.write(`${JSON.stringify(describeFrame(protocol, words.join(' ')), null, 2)}\n`)
    return 0
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
    process.stderr.write(`${error.reason}\n`)
    return 1
  }
}

process.exitCode = main(process.argv.slice(2))
