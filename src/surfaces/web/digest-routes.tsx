import type { Router } from 'express';
import { minuteText } from '../../common/text/index.ts';
import { type DigestPage, readDigestPage } from '../../digests/index.ts';
import { refusal } from '../../labels/access/index.ts';
import { actorOf, type PageContext } from './context.ts';
import { refuse, saying, sendPage } from './page.tsx';

const GONE =
  'There is no such digest, it is older than half a year, or it was posted in another conversation.';

/** Every number of a digest with its n, source and assumption. */
const Known = ({ page: { headline, at, known } }: { page: DigestPage }) => (
  <>
    <h1>How we know</h1>
    <p class="lead">
      <b>
        <bdi>{headline}</bdi>
      </b>
    </p>
    <p class="note">Made {minuteText(new Date(at).toISOString())}.</p>
    <dl>
      {known.flatMap((block) =>
        block.kind === 'facts'
          ? block.facts.map(({ label, value }) => (
              <div key={label}>
                <dt>
                  <bdi>{label}</bdi>
                </dt>
                <dd>
                  <bdi>{value}</bdi>
                </dd>
              </div>
            ))
          : [],
      )}
    </dl>
  </>
);

/** Registers the page of a posted digest. Who may read its conversation may read it. */
export function registerDigests(
  router: Router,
  { store, now, roles }: Pick<PageContext, 'store' | 'now' | 'roles'>,
): void {
  router.get(
    '/digests/:schedule/:slot',
    saying(async (request, response) => {
      const { schedule, slot } = request.params;
      const page = await readDigestPage(store, String(schedule), Number(slot), now());
      const why = page === null ? GONE : await refusal(roles, 'read', actorOf(request), page);
      // To others it is as if it did not exist.
      if (page === null || why !== null) return refuse(request, response, 404, GONE);
      sendPage(request, response, { title: 'How we know', at: '', children: <Known page={page} /> });
    }),
  );
}
