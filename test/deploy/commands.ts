import { pageAt } from '../readme/readme.js'

/** Commands of docs/deploy.md that tests execute. */
export const COMMANDS: Readonly<
  Record<
    | 'project'
    | 'lint'
    | 'serve'
    | 'backUp'
    | 'restore'
    | 'backUpContainer'
    | 'restoreContainer'
    | 'backUpPod'
    | 'restorePod'
    | 'addUser'
    | 'addRepositoryUser',
    string
  >
> = {
  project: find(/^mkdir -p site\n[\s\S]*?init --site none\n/m),
  lint: find(/^npx menuscript lint\n/m),
  serve: find(/^node_modules\/\.bin\/menuscript serve\n/m),
  backUp: find(/^sudo sh -c 'umask 077; tar .*\n/m),
  restore: find(/^sudo rm -rf .*\nsudo tar .*\n/m),
  backUpContainer: find(/tar -C \/var\/lib\/menuscript -cz state/),
  restoreContainer: find(/cd \/var\/lib\/menuscript && rm -rf state && tar -xz/),
  backUpPod: find(/tar -C \/data -cz menus state/),
  restorePod: find(/cd \/data && rm -rf state && tar -xz/),
  addRepositoryUser: find(/^export MENUSCRIPT_STORAGE_GIT_REMOTE=[\s\S]*?--role manage\n/m),
  addUser: find(/menuscript user add ana --role manage/),
}

function find(pattern: RegExp): string {
  const [found] = pattern.exec(pageAt('docs/deploy.md').text) ?? []
  if (found === undefined) throw new Error(`docs/deploy.md has no ${pattern}.`)
  return found
}
