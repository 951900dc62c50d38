import { type MenuDocument, readDocument } from '../../document/menu-document.js'
import { type Claim, claimOf } from '../../document/read/claim.js'
import type { Limits } from '../../model/limits.js'
import type { ChangedFile } from '../../store/git/log.js'
import { readBlobs } from '../../store/git/objects.js'
import type { Repository } from '../../store/git/repository.js'

/** A text with the menu that it claims to be. */
export interface ClaimingText {
  readonly path: string
  readonly document: MenuDocument
  readonly claim: Claim
}

type Texts = Iterable<readonly [path: string, bytes: Uint8Array]>

/** The texts that claim a code, as they are asked for. Those over the size limit are left out. */
export function* claiming(code: string, texts: Texts, limits: Limits): Generator<ClaimingText> {
  for (const [path, bytes] of texts) {
    // Reading each file costs more than searching for the code in it.
    if (bytes.length > limits.bytes || !Buffer.from(bytes).includes(code)) continue
    const document = readDocument(path, bytes, limits)
    const claim = claimOf(document)
    if (claim?.code === code) yield { path, document, claim }
  }
}

/** The texts of some files before a commit changed them. */
export async function textsBefore(repository: Repository, files: readonly ChangedFile[]): Promise<Texts> {
  const blobs = await readBlobs(
    repository,
    files.map(({ blob }) => blob),
  )
  return files.map(({ path, blob }) => [path, blobs.get(blob) ?? new Uint8Array()])
}
