import { testKills } from '../support/killed-service.ts';
import { closeAfterEach } from '../support/resources.ts';

closeAfterEach();
testKills('SQLite');
